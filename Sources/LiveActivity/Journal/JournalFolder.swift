import FileSystem
import Foundation
import SystemPackage

/// The journal's files: `live/ID.json` for each activity that lives, `history.ndjson`, `lock`.
struct JournalFolder: Sendable {
    let path: FilePath
    var live: FilePath { path.appending("live") }
    var history: ActivityHistory { ActivityHistory(path: path.appending("history.ndjson")) }

    /// - Parameter path: from the root, or from where this process is now: other processes are somewhere else.
    init(_ path: FilePath) { self.path = FilePath(FileManager.default.currentDirectoryPath).pushing(path) }

    /// Makes the folders, for their user alone.
    ///
    /// - Throws: `Errno`.
    func create() throws {
        try PrivateFolder.create(path)
        try PrivateFolder.create(live)
    }

    /// Lets one process at a time move what ended into the history. Waits two seconds at most for its turn: its holder may
    /// have been stopped.
    ///
    /// - Throws: `Errno`: `resourceTemporarilyUnavailable` if the turn did not come, else why the file cannot be opened.
    func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let file = try FileDescriptor.open(
            path.appending("lock"), .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        return try file.closeAfter {
            try FileLock.exclusive.wait(for: file, within: .seconds(2))
            return try body()
        }
    }

    func file(_ id: String) -> FilePath { live.appending("\(id).json") }

    var commands: FilePath { path.appending("commands") }

    /// The command line that began an activity.
    func command(_ id: String) -> FilePath { commands.appending("\(id).json") }

    /// The identifiers of what lives, by the names of the files.
    ///
    /// - Throws: an error if the folder exists and cannot be read.
    func liveIdentifiers() throws -> [String] {
        do throws(Errno) {
            return try FolderDescriptor.texts(in: live)
                .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return []
        }
    }

    /// What a live activity's file says; `nil` where there is none, or a damaged one.
    func entry(_ id: String) -> LiveEntry? {
        // It may be what a person typed.
        guard !id.contains("/"), let data = try? AtomicFile.read(file(id)) else { return nil }
        let entry = try? JSONDecoder().decode(LiveEntry.self, from: data)
        return entry?.record.id == id ? entry : nil
    }
}

/// A live activity's file.
struct LiveEntry: Sendable, Codable {
    var record: ActivityRecord
    var process: ProcessIdentity
    /// Where the process answers; `nil` if it could not open a socket.
    var socket: String?

    /// JSON, filled up to whole blocks of a disk: so much room has the file's next content at least, on a full disk too.
    var data: Data {
        let data = Wire.encode(self) ?? Data()
        return data + Data(repeating: UInt8(ascii: " "), count: (4096 - data.count % 4096) % 4096)
    }
}
