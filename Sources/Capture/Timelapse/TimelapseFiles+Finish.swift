import Encoding
import Errors
import LiveActivity
import MediaTypes
import MovieFiles
import Threads

extension TimelapseFiles {
    /// Completes a file that another one has followed, beside the shots and after those before it.
    func complete(_ movie: TimelapseMovie, before next: TimelapseMovie?, _ events: Mailbox<TimelapseEvent>) {
        state.withLock { state in
            let last = state.completing
            state.completing = Task {
                await last?.value
                _ = await finishPart(movie, before: next, events)
            }
        }
    }

    /// Completes a file that broke off.
    ///
    /// - Returns: how many of the shots that it was given are in it.
    func completeNow(
        _ movie: TimelapseMovie, before next: TimelapseMovie?, _ events: Mailbox<TimelapseEvent>
    ) async -> Int {
        await state.withLock { $0.completing }?.value
        return await finishPart(movie, before: next, events)
    }

    /// Completes what a kill has left open of the same timelapse, beside the shots; tells it.
    func completeOpen(_ events: Mailbox<TimelapseEvent>) {
        state.withLock { state in
            let last = state.completing
            state.completing = Task {
                await last?.value
                for words in await open.complete() { events.put(.warning(words)) }
            }
        }
    }

    private func finishPart(
        _ movie: TimelapseMovie, before next: TimelapseMovie?, _ events: Mailbox<TimelapseEvent>
    ) async -> Int {
        guard movie.shots > 0 else {
            await movie.writer.cancel()
            return 0
        }
        let start = MediaTime(samples: movie.earlier, of: movie.rate)
        var part = RecordingPart(
            path: movie.destination.path, start: start, duration: movie.duration, bytes: movie.writer.bytesWritten,
            frames: movie.before + movie.shots, isPlayable: false, next: next?.destination.path)
        do {
            let file = try await movie.finish()
            (part.path, part.duration, part.bytes, part.frames) = (file.path, file.duration, file.size, file.frames)
            (part.isPlayable, part.problem) = (file.isComplete, file.problem)
        } catch MovieFileError.unsupported where movie.destination.isContinued {
            // Nothing was added to it.
            return 0
        } catch let error as RushesError where error.code == .nothingRecorded {
            return 0
        } catch { part.problem = "\(error)" }
        let done = part
        state.withLock { $0.finished.append(done) }
        events.put(.finishedPart(done))
        if movie.images !== next?.images { await write(movie.images, events) }
        return max(0, part.frames - movie.before)
    }

    /// Writes the images beside a movie that is complete, and tells it.
    func write(_ images: ShotImages?, _ events: Mailbox<TimelapseEvent>) async {
        guard let images, let notes = try? await onOwnThread("rushes-images", { images.write() }) else { return }
        for note in notes { events.put(.note(note)) }
    }

    // MARK: The end

    /// Completes the last file, and tells how all ended.
    func finish(_ movie: TimelapseMovie?, _ reason: RecordingEndReason) async -> RecordingResult {
        await state.withLock { $0.completing }?.value
        let parts = state.withLock { $0.finished }
        var progress = RecordingProgress()
        let (frames, bytes) = (shots, self.bytes)
        do {
            guard let movie else { throw RushesError(.nothingRecorded, "No shot was taken, so there is no file.") }
            let file = try await movie.finish()
            (progress.frames, progress.bytes) = (frames + file.frames, bytes + file.size)
            progress.duration = parts.reduce(file.duration) { $0 + $1.duration }
            let broken = parts.first { !$0.isPlayable }
            return RecordingResult(
                reason: reason.considering(file.fault), isPlayable: file.isComplete && broken == nil, path: file.path,
                parts: parts, progress: progress, problem: file.problem ?? broken?.problem)
        } catch {
            (progress.frames, progress.bytes) = (frames, bytes)
            let hasNone = (error as? RushesError)?.code == .nothingRecorded
            let kept = hasNone ? old?.path : nil
            let words =
                !hasNone
                ? "\(error)"
                : kept.map { "No shot was added to \($0), which is as it was." }
                    ?? "No shot was taken, so there is no file."
            return RecordingResult(
                reason: reason.considering(movie?.writer.failureWords.map { .writing($0) }), isPlayable: false,
                path: kept, parts: parts, progress: progress, problem: words)
        }
    }
}
