import Encoding
import Errors
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Files that begin before somebody asked for them.
extension RecordingParts {
    /// Begins the first file of a recording that waited for it.
    ///
    /// - Parameters:
    ///   - time: of the encoders, at which it was asked for.
    ///   - preRoll: how much before that is wanted.
    ///   - rotation: how players turn it; `nil` as its settings say.
    /// - Returns: how much before that is there.
    /// - Throws: why the file cannot be begun; then nothing is held for it any more.
    func begin(
        at time: MediaTime, preRoll: MediaTime, _ rotation: MovieOrientation.Rotation?
    ) async throws -> MediaTime {
        let date = Date() - preRoll.seconds
        do {
            let destination = try await onOwnThread("rushes-destination") { [destination, room] in
                let named = destination.named(at: date)
                try named.check(needing: room)
                return named
            }
            place.withLock { $0 = destination }
            number = destination.number
        } catch {
            writer.release(time - preRoll)
            throw error
        }
        if let rotation { options.orientation.rotation = rotation }
        return try await writer.begin(destination, options: options, at: time, preRoll: preRoll)
    }

    /// Writes what is kept of some time to a file of its own, one after the other.
    ///
    /// - Parameters:
    ///   - range: of the encoders' time.
    ///   - destination: left out, "take – replay.mov", or the first number that is free behind it.
    ///   - origin: where the movie begins; `nil` where it has not.
    /// - Throws: ``RushesError`` if nothing is kept or the file cannot be had.
    func save(
        _ range: Range<MediaTime>, to destination: MovieDestination?, origin: MediaTime?,
        chapters: @escaping @Sendable () -> [MovieInfo.Chapter]
    ) async throws -> RecordingPart {
        writer.hold(from: range.lowerBound)
        let before = saving
        let task = Task {
            await before?.value
            defer { writer.release(range.lowerBound) }
            let destination = try await savingPlace(destination)
            var options = options
            options.sizeLimit = nil
            return try await writer.save(range, to: destination, options: options, chapters: chapters())
        }
        saving = Task { _ = await task.result }
        let (file, begin) = try await task.value
        return RecordingPart(
            path: file.path, start: origin.map { begin - $0 } ?? .zero, duration: file.duration, bytes: file.size,
            frames: file.frames,
            isPlayable: file.isComplete && file.fault == nil, next: nil, problem: file.words)
    }

    /// Waits for what is being saved.
    func finishSaving() async { await saving?.value }

    /// Lets go of what is kept, once all is saved that was asked for until then.
    func forget() async {
        var last: Task<Void, Never>?
        while let saving, saving != last {
            await saving.value
            last = saving
        }
        writer.forget()
    }

    private func savingPlace(_ wanted: MovieDestination?) async throws -> MovieDestination {
        let (container, room) = (try destination.container(), room)
        if let wanted {
            guard try wanted.container() == container else {
                throw RushesError(
                    .invalidSettings, on: wanted.path.string,
                    "What is kept is for \(container.displayName) files; give a name that ends in ."
                        + "\(destination.path.extension ?? "mov").")
            }
            try await onOwnThread("rushes-destination") { try wanted.check(needing: room) }
            return wanted
        }
        for number in 1...Self.attempts {
            let place = MovieDestination(destination.beside(number == 1 ? "replay" : "replay \(number)").path)
            do {
                try await onOwnThread("rushes-destination") { try place.check(needing: room) }
                return place
            } catch let error as RushesError where error.code == .fileExists { continue }
        }
        throw RushesError(
            .fileExists, on: destination.path.string, "There is no free name left for a replay beside it.")
    }
}

extension FinishedFile {
    /// What kept it from being good, or is missing from it.
    var words: String? {
        if let problem { return problem }
        return switch fault {
        case .writing(let words): "writing failed: \(words)"
        case .lost(let words): words
        case .sizeReached, nil: nil
        }
    }
}
