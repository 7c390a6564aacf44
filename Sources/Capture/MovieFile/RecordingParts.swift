import Encoding
import Errors
import FileSystem
import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// The files of a recording that follow each other: opens the next one when told to, and tells of each that is complete.
actor RecordingParts {
    let writer: MovieWriter
    let destination: MovieDestination
    let options: MovieFileWriter.Options
    private let events: Mailbox<RecordingEvent>
    /// Bytes that must be free for another file.
    let room: Int64
    /// Of the file that is written.
    private var number = 1
    private var isOpening = false
    /// What writes the last seconds to a file.
    var saving: Task<Void, Never>?
    private var hasWarned = false
    /// Of the files that followed the first.
    private var paths: [FilePath] = []

    init(
        _ writer: MovieWriter, _ destination: MovieDestination, _ options: MovieFileWriter.Options,
        _ limits: RecordingLimits, _ events: Mailbox<RecordingEvent>
    ) {
        (self.writer, self.destination, self.options, self.events) = (writer, destination, options, events)
        room = limits.minFreeDiskSpaceLimit
    }

    /// Goes over to the next file with a key frame at a time in the movie, or as soon as there can be one; opens it beside the
    /// caller, as a disk may take its time. Ignored while that is under way, and where the file that is due has begun meanwhile.
    func split(at time: MediaTime) {
        guard !isOpening, time == .zero || time > writer.partBegin else { return }
        isOpening = true
        Task { await open(at: time) }
    }

    private func open(at time: MediaTime) async {
        defer { isOpening = false }
        for _ in 0..<Self.attempts {
            let next = destination.part(number + 1)
            do {
                try await onOwnThread("rushes-destination") { [room] in try next.check(needing: room) }
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

    /// How many names are tried that are taken.
    static let attempts = 10_000

    /// Tells of each part that is complete, and returns all once the movie is finished.
    func tell() async -> [RecordingPart] {
        var all: [RecordingPart] = []
        for await finished in writer.finishedParts {
            let part = RecordingPart(
                finished, next: paths.indices.contains(all.count) ? paths[all.count] : nil,
                origin: writer.movieBegin ?? .zero)
            all.append(part)
            events.put(.finishedPart(part))
        }
        return all
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
                fileIsGood: file.isComplete, next: next, problem: file.problem)
        case .failure(let error):
            self.init(
                path: nil, start: start, duration: part.range.upperBound - part.range.lowerBound, bytes: 0, frames: 0,
                fileIsGood: false, next: next,
                problem: "\(part.path): \(error)")
        }
    }
}
