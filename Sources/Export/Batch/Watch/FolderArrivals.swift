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
    /// - Parameter files: of a folder those that count, in their order; movies if left out.
    /// - Throws: ``RushesError`` where there is no such folder.
    package static func stream(
        of folder: FilePath,
        files: @escaping @Sendable (FilePath) -> [FilePath] = { (try? FolderListing.movies(in: $0)) ?? [] }
    ) throws(RushesError) -> AsyncStream<FilePath> {
        guard FolderListing.isFolder(folder) else {
            throw RushesError(.badInput, "\(folder.wireText) is not a folder that can be watched; create it first.")
        }
        // Where the system has no watch left, the looks have to do.
        let watch = try? FolderWatch([folder], [.movedHere, .written])
        return AsyncStream { continuation in
            let isOver = Locked(false)
            continuation.onTermination = { _ in isOver.withLock { $0 = true } }
            let hasBegun = OwnThread.run("rushes-watch") {
                var ledger = ArrivalLedger()
                while !isOver.withLock({ $0 }) {
                    let now = ProcessInfo.processInfo.systemUptime
                    let ready = ledger.take(looks(files(folder)), at: now) {
                        FileWriters.isWritten(folder.appending($0))
                    }
                    for name in ready { continuation.yield(folder.appending(name)) }
                    let pause = ledger.isWaiting ? soon : later
                    if let watch {
                        watch.names(within: pause).forEach { ledger.hear($0) }
                    } else {
                        OwnThread.sleep(seconds: pause)
                    }
                }
            }
            if !hasBegun { continuation.finish() }
        }
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
