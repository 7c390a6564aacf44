package import Errors
import FileSystem
import MovieFiles
package import SystemPackage
import Threads

/// The files that come to a folder, each when it is complete; those that are there already come first.
package enum FolderArrivals {
    /// What a look at a folder finds.
    package struct Found {
        /// Those that count, in their order.
        package var files: [FilePath]
        /// The folders within that they were looked for in too.
        package var folders: [FilePath] = []
        /// The folders within that could not be looked into.
        package var unreadable: [FilePath] = []
        /// What could not be looked at, in a sentence.
        package var trouble: String?

        /// - Parameter files: in their order.
        package init(files: [FilePath]) { self.files = files }
    }

    /// The movies that come to a folder.
    ///
    /// - Parameters:
    ///   - includesSubfolders: whether folders within are watched too, those that are made later as well.
    ///   - includesAudio: whether audio files count as movies.
    ///   - excluded: a folder within that is not.
    ///   - trouble: as below.
    /// - Throws: as below.
    package static func movies(
        in folder: FilePath, includesSubfolders: Bool = false, includesAudio: Bool = false,
        without excluded: FilePath? = nil,
        trouble: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(RushesError) -> AsyncStream<FilePath> {
        try stream(
            of: folder,
            list: { (folder) throws(RushesError) in
                let contents = try FolderListing.contents(
                    of: folder, isRecursive: includesSubfolders, without: excluded, keepsOthers: false,
                    includesAudio: includesAudio)
                var found = Found(files: contents.movies)
                (found.folders, found.trouble) = (contents.folders, contents.notes.first)
                found.unreadable = contents.unreadable.map(\.folder)
                return found
            }, trouble: trouble)
    }

    /// Ends when nobody reads it any more.
    ///
    /// - Parameters:
    ///   - list: what is in a folder now. It throws where the folder cannot be read.
    ///   - trouble: is told, in a sentence, when the folder or one within cannot be read any more, and `nil` when all can again.
    /// - Throws: ``RushesError`` where there is no such folder, or it cannot be read.
    package static func stream(
        of folder: FilePath, list: @escaping @Sendable (FilePath) throws(RushesError) -> Found,
        trouble: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(RushesError) -> AsyncStream<FilePath> {
        guard FolderListing.isFolder(folder) else {
            throw RushesError(.badInput, "\(folder.wireText) is not a folder that can be watched; create it first.")
        }
        _ = try list(folder)
        return AsyncStream { continuation in
            let isOver = Locked(false)
            continuation.onTermination = { _ in isOver.withLock { $0 = true } }
            let hasBegun = OwnThread.run("rushes-watch") {
                var watched = WatchedFolder(folder, list, trouble)
                while !isOver.withLock({ $0 }) { for file in watched.next() { continuation.yield(file) } }
            }
            if !hasBegun { continuation.finish() }
        }
    }
}

/// A folder that is looked at again and again, also where its disk goes and comes back.
private struct WatchedFolder {
    private let folder: FilePath
    private let list: @Sendable (FilePath) throws(RushesError) -> FolderArrivals.Found
    private let trouble: @Sendable (String?) -> Void
    private var ledger = ArrivalLedger()
    /// `nil` where the system gives none: then the looks have to do.
    private var watch: FolderWatch?
    /// What the watch looks at, by its numbers.
    private var watched: [Int32: FilePath] = [:]
    /// The folders within, as of the last look.
    private var within: Set<FilePath> = []
    /// What was told last.
    private var told: String?

    init(
        _ folder: FilePath, _ list: @escaping @Sendable (FilePath) throws(RushesError) -> FolderArrivals.Found,
        _ trouble: @escaping @Sendable (String?) -> Void
    ) {
        (self.folder, self.list, self.trouble) = (folder, list, trouble)
    }

    /// What has come, after a while in which nothing has. Blocks.
    mutating func next() -> [FilePath] {
        // Before the look, so that nothing comes between both; and a folder that was taken away and made again is another one.
        follow()
        let pause: Duration
        var ready: [FilePath] = []
        var isReadable = true
        do throws(RushesError) {
            let found = try list(folder)
            note(found.trouble)
            let looks = Self.looks(found.files)
            ready = ledger.take(looks, without: found.unreadable, at: .now) { FileWriters.isWritten($0) }
            // Whoever wrote it has closed it by now, which may be told only after it was taken.
            if !ready.isEmpty { hear(within: .zero, taken: looks.filter { ready.contains($0.name) }) }
            let folders = Set(found.folders)
            let hasMore = !folders.isSubset(of: within)
            within = folders
            pause = hasMore || !ready.isEmpty ? .zero : ledger.isWaiting ? Self.soon : Self.later
        } catch {
            let reason = error.underlying.map { " (\($0))" } ?? ""
            note("\(folder.wireText) cannot be read\(reason); it is looked for again every second.")
            (pause, isReadable) = (Self.later, false)
        }
        if watch != nil, isReadable { hear(within: pause) } else { OwnThread.sleep(pause) }
        return ready
    }

    /// Takes in what the system tells. Blocks.
    private mutating func hear(within limit: Duration, taken: [ArrivalLedger.Look] = []) {
        for change in watch?.changes(within: limit) ?? [] {
            guard let name = watched[change.folder]?.appending(change.name) else { continue }
            let isTaken = taken.contains { $0.name == name && $0.identity == FileVersion(name) }
            if isTaken { ledger.hearOfTaken(name) } else { ledger.hear(name) }
        }
    }

    /// Watches all folders that are there. One that cannot be watched, as the system has no watch left, is looked at like the others.
    private mutating func follow() {
        watch = watch ?? (try? FolderWatch([], [.movedHere, .written]))
        guard let watch else { return }
        let before = watched.keys
        watched = [:]
        for folder in [folder] + within {
            if let number = try? watch.add(folder) { watched[number] = folder }
        }
        for number in before where watched[number] == nil { watch.remove(number) }
    }

    private mutating func note(_ sentence: String?) {
        guard told != sentence else { return }
        told = sentence
        trouble(sentence)
    }

    /// Between two looks: while something is not complete; and else, for what no event tells of, such as a file
    /// that another machine writes.
    private static let soon = Duration.milliseconds(250)
    private static let later = Duration.seconds(1)

    private static func looks(_ files: [FilePath]) -> [ArrivalLedger.Look] {
        files.compactMap { path in
            FileVersion(path).map { ArrivalLedger.Look(name: path, identity: $0) }
        }
    }
}
