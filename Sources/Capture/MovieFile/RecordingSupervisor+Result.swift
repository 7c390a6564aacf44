import Encoding
import Errors
import LiveActivity
import MediaTypes
import MovieFiles

extension RecordingSupervisor {
    /// How long nothing may come out of the encoders of what they hold, nor into the file, before they are given up.
    private static let flush = Duration.seconds(10)
    /// The same while the file holds no frame that would play: on a machine that is busy with something else a slow encoder may not have
    /// come to its first frames yet, and the whole take would be lost.
    private static let firstFlush = Duration.seconds(30)

    /// Completes the files, and tells how the recording ended.
    ///
    /// One after the other: on a full disk each gives up its last samples for its index, which another one would take.
    ///
    /// - Parameter told: the parts, known when the writer has finished.
    func finish(_ reason: RecordingEndReason, _ told: Task<[RecordingPart], Never>) async -> RecordingResult {
        var result = await finishMovie(reason, told)
        for (index, camera) in cameras.enumerated() {
            var movie = await camera.finish(
                within: camera.writer.holdsSamples ? Self.flush : Self.firstFlush, chapters: recording.chapters)
            movie.droppedFrames = recording.droppedFrames(ofCamera: index)
            result.cameraMovies.append(movie)
            result.progress.bytes += movie.bytes
            if !movie.isPlayable { result.isPlayable = false }
        }
        result.framesDroppedElsewhere = recording.framesDroppedElsewhere
        for (index, camera) in cameras.enumerated() where result.cameraMovies[index].path != nil {
            await settle(&result.cameraMovies[index], camera.writer)
            if !result.cameraMovies[index].isPlayable { result.isPlayable = false }
        }
        result = await settled(result)
        do { result.projectFiles = try await writeProject(of: result) } catch {
            events.put(.warning("The project for editors could not be written: \(error)"))
        }
        return result
    }

    /// The same of a camera's own movie.
    private func settle(_ movie: inout RecordingPart, _ writer: MovieWriter) async {
        do {
            guard let file = try await writer.settle() else { return }
            movie.path = file.path
            if case .lost(let words) = file.fault { movie.problem = words }
        } catch { (movie.path, movie.isPlayable, movie.problem) = (nil, false, "\(error)") }
    }

    /// Where its movie is by now: it may have got another name since it was complete, or lost it.
    private func settled(_ result: RecordingResult) async -> RecordingResult {
        guard result.path != nil else { return result }
        var result = result
        do {
            guard let file = try await writer.settle() else { return result }
            (result.path, result.reason) = (file.path, result.reason.considering(file.fault))
        } catch { (result.path, result.isPlayable, result.problem) = (nil, false, "\(error)") }
        return result
    }

    private func finishMovie(
        _ reason: RecordingEndReason, _ told: Task<[RecordingPart], Never>
    ) async -> RecordingResult {
        var last = progress()
        // What a disk takes slowly is waited for, but not after it was found to be too slow.
        let waitsForDisk = if case .writingFailed = reason { false } else { true }
        let encoded = writer.countEncodedFrames()
        do {
            let file = try await writer.finish(
                within: writer.holdsSamples ? Self.flush : Self.firstFlush, chapters: recording.chapters
            ) { [writer] in
                encoded().map { $0 + (waitsForDisk ? Int(clamping: writer.bytesWritten) : 0) }
            }
            let parts = await told.value
            last.take(file, after: parts, begin: movieTime(of: writer.partBegin))
            let broken = parts.first { !$0.isPlayable }
            return RecordingResult(
                reason: reason.considering(file.fault), isPlayable: file.isComplete && broken == nil, path: file.path,
                parts: parts.filter { !$0.isDeleted }, deletedFiles: parts.count { $0.isDeleted }, progress: last,
                problem: file.problem ?? broken?.problem)
        } catch {
            let parts = await told.value
            last.take(nil, after: parts, begin: movieTime(of: writer.partBegin))
            let isEmpty = (error as? RushesError)?.code == .nothingRecorded
            let failure = writer.failureWords ?? (isEmpty ? nil : "\(error)")
            var result = RecordingResult(
                reason: reason.considering(failure.map { .writing($0) }), isPlayable: false, path: nil,
                parts: parts.filter { !$0.isDeleted }, deletedFiles: parts.count { $0.isDeleted }, progress: last,
                problem: "\(error)")
            // What was recorded and lost, or is not complete, is no file without anything.
            if (error as? RushesError)?.code != .writeFailed { result.endWithCompleteParts() }
            if preRoll != nil, !hasBeenStarted {
                (result.hasBegun, result.problem) = (false, "The recording was not started, so there is no movie.")
            }
            return result
        }
    }
}

extension RecordingResult {
    /// Where nothing of the last file is left, the files before it are the recording.
    fileprivate mutating func endWithCompleteParts() {
        guard let last = parts.last, let path = last.path, parts.allSatisfy(\.isPlayable) else { return }
        (self.path, isPlayable, problem) = (path, true, nil)
        parts.removeLast()
    }
}

extension RecordingProgress {
    /// Takes the files' own numbers. What was encoded and is in none of them is counted as dropped, but for what lies behind the end that
    /// the size sets.
    fileprivate mutating func take(_ file: FinishedFile?, after parts: [RecordingPart], begin: MediaTime) {
        let written = parts.reduce(file?.frames ?? 0) { $0 + $1.frames }
        if file?.fault != .sizeReached { droppedFrames += max(0, frames - written) }
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
        case .sizeReached: .maximumSizeReached
        case nil: self
        }
    }
}
