import Foundation
import SystemPackage

/// The journal's files: `live/ID.json` for each activity that lives, `history.ndjson`, `lock`.
struct JournalFolder: Sendable {
    let path: FilePath
    var live: FilePath { path.appending("live") }
    var history: ActivityHistory { ActivityHistory(path: path.appending("history.ndjson")) }
    var lock: JournalLock { JournalLock(path: path.appending("lock")) }

    /// - Parameter path: from the root, or from where this process is now: other processes are somewhere else.
    init(_ path: FilePath) { self.path = FilePath(FileManager.default.currentDirectoryPath).pushing(path) }

    /// Makes the folders, for their user alone.
    ///
    /// - Throws: `Errno`.
    func create() throws {
        try PrivateFolder.create(path)
        try PrivateFolder.create(live)
    }

    func file(_ id: String) -> FilePath { live.appending("\(id).json") }

    /// The identifiers of what lives, by the names of the files.
    ///
    /// - Throws: an error if the folder exists and cannot be read.
    func liveIdentifiers() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: live.string)
                .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        }
    }

    /// What a live activity's file says; `nil` where there is none, or a damaged one.
    func entry(_ id: String) -> LiveEntry? {
        // It may be what a person typed.
        guard !id.contains("/"), let data = try? SmallFile.read(file(id)) else { return nil }
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

/// Folders for one user's eyes.
enum PrivateFolder {
    /// Makes the folder, and those above it that are missing, with mode 0700, as the XDG base directories are to be made.
    /// The folder itself gets that mode also where it is there already; those above it stay as they are.
    ///
    /// - Throws: `Errno`, `notPermitted` for another user's folder, and for a link that another user made.
    static func create(_ path: FilePath) throws {
        if try isMade(path) { return }
        var link = stat()
        guard lstat(path.string, &link) == 0, link.st_uid == geteuid() else { throw Errno.notPermitted }
        let folder = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        try folder.closeAfter {
            var status = stat()
            guard fstat(folder.rawValue, &status) == 0, status.st_uid == geteuid() else { throw Errno.notPermitted }
            // Somebody may have made it with a wider mode.
            if status.st_mode & 0o777 != 0o700 { fchmod(folder.rawValue, 0o700) }
        }
    }

    /// Whether the folder had to be made.
    private static func isMade(_ path: FilePath) throws -> Bool {
        if mkdir(path.string, 0o700) == 0 { return true }
        if errno == ENOENT, !path.components.isEmpty {
            _ = try isMade(path.removingLastComponent())
            if mkdir(path.string, 0o700) == 0 { return true }
        }
        guard errno == EEXIST else { throw Errno(rawValue: errno) }
        return false
    }
}
