import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// The files of a recording that follow each other: opens the next one when told to, and tells of each that is complete.
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
    private var retention: PartRetention?
    /// Whether what has to stay is too much by itself, and that was said.
    private var isFull = false
    /// How many are complete.
    private var completed = 0

    init(
        _ writer: MovieWriter, _ place: Locked<MovieDestination>, _ options: MovieFileWriter.Options,
        _ limits: RecordingLimits, _ events: Mailbox<RecordingEvent>
    ) {
        (self.writer, self.place, self.options, self.events) = (writer, place, options, events)
        room = limits.minFreeDiskSpaceLimit
        number = place.withLock { $0.number }
        retention = limits.maxKeptFileSize.map { PartRetention(limit: $0) }
    }

    /// Goes over to the next file with a key frame at a time in the movie, or as soon as there can be one; opens it beside the
    /// caller, as a disk may take its time. Ignored while that is under way, and where the file that is due has begun meanwhile.
    ///
    /// - Parameter delay: how long it takes until then.
    func split(at time: MediaTime, in delay: Duration) {
        guard !isOpening, time == .zero || time > writer.partBegin + Self.rounding else { return }
        isOpening = true
        Task { await open(at: time, Date() + delay / .seconds(1)) }
    }

    private func open(at time: MediaTime, _ date: Date) async {
        defer { isOpening = false }
        for _ in 0..<Self.attempts {
            do {
                let next = try await onOwnThread("rushes-destination") { [destination, number, room] in
                    let next = destination.part(number + 1, at: date)
                    try next.check(needing: room)
                    return next
                }
                if try await writer.split(to: next, options: options, at: time) {
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

    /// How far a file may begin before the time that was wanted, as frames' times are rounded.
    private static let rounding = 50 * MediaTime.millisecond

    /// How many names are tried that are taken.
    static let attempts = 10_000

    /// Tells of each part that is complete, and returns all once the movie is finished.
    func tell() async -> [RecordingPart] {
        var all: [RecordingPart] = []
        var identities: [FileIdentity?] = []
        for await finished in writer.finishedParts {
            let part = RecordingPart(
                finished, next: paths.indices.contains(all.count) ? paths[all.count] : nil,
                origin: writer.movieBegin ?? .zero)
            all.append(part)
            identities.append(part.path.flatMap { FileIdentity($0) })
            completed = all.count
            events.put(.finishedPart(part))
            for index in excess(part) {
                guard let path = all[index].path, let identity = identities[index] else { continue }
                let isGone = try? await onOwnThread("rushes-destination") { identity.remove(path) }
                guard isGone == true else { continue }
                all[index].isDeleted = true
                events.put(.deletedPart(all[index]))
            }
        }
        return all
    }

    // MARK: How much is kept

    /// Keeps the file that is written now.
    func pin() {
        guard retention != nil else { return }
        // The last one is open and may not have begun.
        retention?.pin(completed...max(completed, paths.count))
        events.put(.pinned(writer.path ?? paths.last ?? destination.path))
    }

    private func excess(_ part: RecordingPart) -> [Int] {
        guard let (excess, isExceeded) = retention?.add(completed - 1, bytes: part.bytes) else { return [] }
        if isExceeded, !isFull {
            events.put(
                .warning("The newest file and those that are pinned are larger than all files may be; they stay."))
        }
        isFull = isExceeded
        return excess
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
