import Encoding
import LiveActivity
import MediaTypes
import MovieFiles

extension RecordingSupervisor {
    /// How long the encoders may hand out nothing of what they hold before they are given up.
    private static let flush = 3.0
    /// The same while the file is empty: on a machine that is busy with something else a slow encoder may not have come to
    /// its first frame yet, and the whole take would be lost.
    private static let firstFlush = 30.0

    /// Completes the files, and tells how the recording ended.
    ///
    /// One after the other: on a full disk each gives up its last samples for its index, which another one would take.
    ///
    /// - Parameter told: the parts, known when the writer has finished.
    func finish(_ reason: RecordingEndReason, _ told: Task<[RecordingPart], Never>) async -> RecordingResult {
        var result = await finishMovie(reason, told)
        for camera in cameras {
            let movie = await camera.finish(
                within: camera.writer.bytesWritten == 0 ? Self.firstFlush : Self.flush, chapters: recording.chapters)
            result.cameraMovies.append(movie)
            result.progress.bytes += movie.bytes
            if !movie.fileIsGood { result.fileIsGood = false }
        }
        do { result.projectFiles = try await writeProject(of: result) } catch {
            events.put(.warning("The project for editors could not be written: \(error)"))
        }
        return result
    }

    private func finishMovie(
        _ reason: RecordingEndReason, _ told: Task<[RecordingPart], Never>
    ) async -> RecordingResult {
        var last = progress()
        do {
            let file = try await writer.finish(
                within: writer.partBytes == 0 ? Self.firstFlush : Self.flush, chapters: recording.chapters,
                movement: writer.countEncodedFrames())
            let parts = await told.value
            last.take(file, after: parts, begin: movieTime(of: writer.partBegin))
            let broken = parts.first { !$0.fileIsGood }
            return RecordingResult(
                reason: reason.considering(file.fault), fileIsGood: file.isComplete && broken == nil, path: file.path,
                parts: parts.filter { !$0.isDeleted }, progress: last, problem: file.problem ?? broken?.problem)
        } catch {
            let parts = await told.value
            last.take(nil, after: parts, begin: movieTime(of: writer.partBegin))
            var result = RecordingResult(
                reason: reason.considering(writer.failureWords.map { .writing($0) }), fileIsGood: false, path: nil,
                parts: parts.filter { !$0.isDeleted }, progress: last, problem: "\(error)")
            if preRoll != nil, !hasBeenStarted {
                (result.hasBegun, result.problem) = (false, "The recording was not started, so there is no movie.")
            }
            return result
        }
    }
}

extension RecordingProgress {
    /// Takes the files' own numbers. What was encoded and is in none of them is counted as dropped.
    fileprivate mutating func take(_ file: FinishedFile?, after parts: [RecordingPart], begin: MediaTime) {
        let written = parts.reduce(file?.frames ?? 0) { $0 + $1.frames }
        droppedFrames += max(0, frames - written)
        frames = written
        duration =
            file.map { begin + $0.duration } ?? parts.last.map { $0.start + $0.duration } ?? .zero
        bytes = parts.reduce(file?.size ?? 0) { $0 + $1.bytes }
    }
}

extension RecordingEndReason {
    /// Whatever ended the take, a file that lacks something of it, or is elsewhere, is a fault.
    func considering(_ fault: FinishedFile.Fault?) -> RecordingEndReason {
        if case .deviceLost = self { return self }
        return switch fault {
        case .writing(let words): .writingFailed(words)
        case .lost(let words): .fileLost(words)
        case nil: self
        }
    }
}
