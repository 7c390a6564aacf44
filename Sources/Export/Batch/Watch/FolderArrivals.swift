package import Errors
import FileSystem
import Foundation
import MovieFiles
package import SystemPackage
import Threads

/// The files that come to a folder, each when it is complete; those that are there already come first.
package enum FolderArrivals {
    /// Ends when nobody reads it any more.
    ///
    /// - Parameters:
    ///   - files: of a folder those that count, in their order; movies if left out. It throws where the folder cannot be read.
    ///   - trouble: is told, in a sentence, when the folder cannot be read any more, and `nil` when it can again.
    /// - Throws: ``RushesError`` where there is no such folder, or it cannot be read.
    package static func stream(
        of folder: FilePath,
        files: @escaping @Sendable (FilePath) throws(RushesError) -> [FilePath] = {
            (folder) throws(RushesError) in try FolderListing.movies(in: folder)
        },
        trouble: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(RushesError) -> AsyncStream<FilePath> {
        guard FolderListing.isFolder(folder) else {
            throw RushesError(.badInput, "\(folder.wireText) is not a folder that can be watched; create it first.")
        }
        _ = try files(folder)
        return AsyncStream { continuation in
            let isOver = Locked(false)
            continuation.onTermination = { _ in isOver.withLock { $0 = true } }
            let hasBegun = OwnThread.run("rushes-watch") {
                var watched = WatchedFolder(folder, files, trouble)
                while !isOver.withLock({ $0 }) { for file in watched.next() { continuation.yield(file) } }
            }
            if !hasBegun { continuation.finish() }
        }
    }
}

/// A folder that is looked at again and again, also where its disk goes and comes back.
private struct WatchedFolder {
    private let folder: FilePath
    private let files: @Sendable (FilePath) throws(RushesError) -> [FilePath]
    private let trouble: @Sendable (String?) -> Void
    private var ledger = ArrivalLedger()
    /// `nil` where the system has no watch left: then the looks have to do.
    private var watch: FolderWatch?
    /// What the watch looks at.
    private var place: Place?
    private var isReadable = true

    init(
        _ folder: FilePath, _ files: @escaping @Sendable (FilePath) throws(RushesError) -> [FilePath],
        _ trouble: @escaping @Sendable (String?) -> Void
    ) {
        (self.folder, self.files, self.trouble) = (folder, files, trouble)
    }

    /// What has come, after a while in which nothing has. Blocks.
    mutating func next() -> [FilePath] {
        if Place(folder) != place {
            // Before the look, so that nothing comes between both.
            (place, watch) = (Place(folder), try? FolderWatch([folder], [.movedHere, .written]))
        }
        let pause: Double
        var ready: [FilePath] = []
        do throws(RushesError) {
            let looks = Self.looks(try files(folder))
            note(nil)
            let folder = folder
            ready = ledger.take(looks, at: ProcessInfo.processInfo.systemUptime) {
                FileWriters.isWritten(folder.appending($0))
            }.map(folder.appending)
            pause = ready.isEmpty ? ledger.isWaiting ? Self.soon : Self.later : 0
        } catch {
            note(error)
            pause = Self.later
        }
        if let watch, isReadable {
            watch.names(within: pause).forEach { ledger.hear($0) }
        } else {
            OwnThread.sleep(seconds: pause)
        }
        return ready
    }

    private mutating func note(_ error: RushesError?) {
        guard isReadable == (error != nil) else { return }
        isReadable = error == nil
        trouble(
            error.map { error in
                let reason = error.underlying.map { " (\($0))" } ?? ""
                return "\(folder.wireText) cannot be read\(reason); it is looked for again every second."
            })
    }

    /// Seconds between two looks: while something is not complete; and else, for what no event tells of, such as a file
    /// that another machine writes.
    private static let soon = 0.25
    private static let later = 1.0

    private static func looks(_ files: [FilePath]) -> [ArrivalLedger.Look] {
        files.compactMap { path in
            guard let name = path.lastComponent, let identity = FileVersion(path) else { return nil }
            return ArrivalLedger.Look(name: name, identity: identity)
        }
    }
}
