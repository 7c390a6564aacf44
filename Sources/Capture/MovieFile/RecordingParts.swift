import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// The consecutive files of a recording: opens the next one on request, and reports each one that is complete.
actor RecordingParts {
    let writer: MovieWriter
    /// Where the first one is to be; named anew where it begins later.
    let place: Locked<MovieDestination>
    var destination: MovieDestination { place.withLock { $0 } }
    var options: MovieFileWriter.Options
    private let events: Mailbox<RecordingEvent>
    /// Bytes that must be free for another file.
    let room: Int64
    /// Of the file that is written.
    var number: Int
    private var isOpening = false
    /// What writes the last seconds to a file.
    var saving: Task<Void, Never>?
    private var hasWarned = false
    /// Of the files that followed the first.
    private var paths: [FilePath] = []
    /// What their folder was called before, and what it is called since.
    private var renames: [(from: FilePath, to: FilePath)] = []
    /// Where the oldest are deleted for new ones.
    private let kept: KeptFiles?
    /// Files that are not, from the first one on.
    private var pinned: Set<Int> = []
    /// How many are complete.
    private var completed = 0
    /// Bytes of those, the deleted ones too.
    private var completeBytes: Int64 = 0
    /// Bytes of the deleted ones.
    nonisolated let deletedBytes = Locked<Int64>(0)

    init(
        _ writer: MovieWriter, _ place: Locked<MovieDestination>, _ options: MovieFileWriter.Options,
        _ limits: RecordingLimits, _ events: Mailbox<RecordingEvent>, _ kept: KeptFiles?
    ) {
        (self.writer, self.place, self.options, self.events) = (writer, place, options, events)
        room = limits.minFreeDiskSpaceLimit
        number = place.withLock { $0.number }
        self.kept = kept ?? limits.maxKeptFileSize.map { KeptFiles(limit: $0) }
    }

    /// Goes over to the next file with a key frame at a time in the movie, or as soon as there can be one; opens it beside the
    /// caller, as a disk may take its time. Ignored while that is under way, and where the file that is due has begun meanwhile.
    ///
    /// - Parameters:
    ///   - delay: how long it takes until then.
    ///   - isPaused: whether nothing is recorded at the moment: then the next file begins with what comes after the pause.
    func split(at time: MediaTime, in delay: Duration, isPaused: @escaping @Sendable () -> Bool) {
        guard !isOpening else { return }
        isOpening = true
        Task { await open(at: time, Date() + delay / .seconds(1), isPaused) }
    }

    private func open(at time: MediaTime, _ date: Date, _ isPaused: @Sendable () -> Bool) async {
        defer { isOpening = false }
        await followFolder()
        for _ in 0..<Self.attempts {
            do {
                let next = try await onOwnThread("rushes-destination") { [destination, number, room] in
                    let next = destination.part(number + 1, at: date)
                    try next.check(needing: room)
                    return next
                }
                if try await writer.split(to: next, options: options, at: time, isPaused: isPaused) {
                    number += 1
                    paths.append(next.path)
                }
                hasWarned = false
                return
            } catch let error as RushesError where error.code == .fileExists {
                // Somebody else's, or of a recording before.
                number += 1
            } catch {
                if !hasWarned { events.put(.warning("No new file could be started, so this one continues: \(error)")) }
                hasWarned = true
                return
            }
        }
    }

    /// How many names are tried that are taken.
    static let attempts = 10_000

    /// Tells of each part that is complete, and returns all once the movie is finished.
    func tell() async -> [RecordingPart] {
        var all: [RecordingPart] = []
        var numbers: [Int: Int] = [:]
        for await finished in writer.finishedParts {
            await followFolder()
            let part = RecordingPart(
                finished, next: paths.indices.contains(all.count) ? present(paths[all.count]) : nil,
                origin: writer.movieBegin ?? .zero)
            all.append(part)
            completed = all.count
            completeBytes += part.bytes
            events.put(.finishedPart(part))
            guard let (number, deleted) = await keep(part) else { continue }
            numbers[number] = all.count - 1
            for (number, _) in deleted {
                guard let index = numbers[number] else { continue }
                all[index].isDeleted = true
                deletedBytes.withLock { $0 += all[index].bytes }
                options.sizeLimit?.giveBack(all[index].bytes)
            }
        }
        for index in all.indices { all[index].path = all[index].path.map(present) }
        return all
    }

    // MARK: A folder that gets another name

    /// Looks what the files' folder is called by now, where nothing is there any more that has its name.
    private func followFolder() async {
        let old = destination
        let found = try? await onOwnThread("rushes-destination") { [writer] () -> FilePath? in
            guard FileStatus(old.folder)?.isFolder != true, case .moved(let file) = writer.whereabouts else {
                return nil
            }
            return file.removingLastComponent()
        }
        guard let folder = found else { return }
        renames.append((old.folder.absolute, folder))
        await kept?.folder(old.folder.absolute, isNow: folder)
        place.withLock { $0 = old.moved(to: folder) }
    }

    /// Where a file is by now that was made before its folder got another name.
    private func present(_ path: FilePath) -> FilePath {
        renames.reduce(path) { $0.moved(from: $1.from, to: $1.to) }
    }

    // MARK: How much is kept

    /// Keeps the file that is written now.
    func pin() {
        guard kept != nil else { return }
        // The last one is open and may not have begun.
        pinned.formUnion(completed...max(completed, paths.count))
        events.put(.pinned(writer.path ?? paths.last ?? destination.path))
    }

    /// Counts the last file with the others, for a recording that follows this one: those before go for its files too.
    func keepLast(_ result: RecordingResult) async {
        // Of nothing where the complete one before it stands for it.
        let bytes = result.progress.bytes - completeBytes
        guard result.path != nil, bytes > 0 else { return }
        let part = RecordingPart(
            path: result.path, start: .zero, duration: .zero, bytes: bytes, frames: 0, isPlayable: result.isPlayable)
        completed += 1
        _ = await keep(part)
    }

    private func keep(_ part: RecordingPart) async -> (number: Int, deleted: [(number: Int, part: RecordingPart)])? {
        let events = events
        let added = await kept?.add(part, isPinned: pinned.contains(completed - 1)) { events.put(.warning($0)) }
        for deleted in added?.deleted ?? [] { events.put(.deletedPart(deleted.part)) }
        return added
    }
}

extension RecordingPart {
    fileprivate init(_ part: FinishedPart, next: FilePath?, origin: MediaTime) {
        let start = part.range.lowerBound - origin
        switch part.outcome {
        case .success(let file):
            self.init(
                path: file.path, start: start, duration: file.duration, bytes: file.size,
                frames: file.frames,
                isPlayable: file.isComplete, next: next, problem: file.words)
        case .failure(let error):
            self.init(
                path: nil, start: start, duration: part.range.upperBound - part.range.lowerBound, bytes: 0, frames: 0,
                isPlayable: false, next: next,
                problem: "\(part.path): \(error)")
        }
    }
}
