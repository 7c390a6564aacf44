import Encoding
import Foundation
import GStreamer
import SystemPackage

/// Watches over a take from its first picture to its complete file: progress, limits, faults, the bounded stop.
struct TakeRunner: Sendable {
    let take: Take
    let writer: MovieWriter
    let video: VideoInput?
    let sound: SoundInput?
    let destination: MovieDestination
    let limits: RecordingLimits
    let events: AsyncStream<RecordingEvent>.Continuation
    /// Reasons to end, the first of which counts.
    let causes: AsyncStream<RecordingEndReason>
    let cause: AsyncStream<RecordingEndReason>.Continuation
    let now: @Sendable () -> Nanoseconds

    /// Progress is told this often, in seconds.
    static let interval = 0.5
    /// How long tracks get to deliver what lies before the end; two frames of a slow camera, or a sound server's buffer.
    static let grace = 1.0
    /// How long the encoders may take to hand out what they hold.
    static let flush = 3.0
    /// A camera or microphone that says nothing for this long is lost: PipeWire reports neither error nor end.
    static let stall: Nanoseconds = 3 * .second

    func run(complete: @escaping @Sendable (Double) async -> Bool) async -> RecordingResult {
        let watch = Task { await self.watch() }
        var reason = RecordingEndReason.stopped
        for await first in causes {
            reason = first
            break
        }
        watch.cancel()
        take.end(at: now())
        if case .writingFailed = reason {} else { _ = await complete(Self.grace) }
        take.endPictures()
        take.endSound()
        events.yield(.finishing(progress(level: nil)))
        let result = await finish(reason)
        events.yield(.finished(result))
        events.finish()
        return result
    }

    private func finish(_ reason: RecordingEndReason) async -> RecordingResult {
        do {
            let file = try await writer.finish(within: Self.flush)
            var last = progress(level: nil)
            last.bytes = file.size
            return RecordingResult(
                reason: reason, fileIsGood: file.isComplete, path: file.path, progress: last, problem: file.problem)
        } catch {
            return RecordingResult(
                reason: reason, fileIsGood: false, path: nil, progress: progress(level: nil), problem: "\(error)")
        }
    }

    /// Tells the progress and finds reasons to end, until cancelled.
    private func watch() async {
        var state = WatchState()
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Self.interval))
            guard !Task.isCancelled else { return }
            events.yield(.progress(progress(level: sound?.readLevel())))
            if let found = check(&state) { cause.yield(found) }
        }
    }

    /// What has been told already.
    private struct WatchState {
        var soundIsLost = false
        var backlogIsTold = false
    }

    private func check(_ state: inout WatchState) -> RecordingEndReason? {
        if let failure = writer.failure { return .writingFailed("\(failure)") }
        if let limit = limits.maxRecordedFileSize, writer.bytesWritten >= limit { return .maximumSizeReached }
        if let free = freeSpace(destination.folder), free < limits.minFreeDiskSpaceLimit { return .minimumFreeSpaceReached }
        if let lost = video.flatMap({ Self.loss(of: $0.input) }) { return lost }
        if !state.soundIsLost, let lost = sound.flatMap({ Self.loss(of: $0.input) }) {
            // Without a picture there is nothing left; with one the take goes on in silence.
            guard video != nil else { return lost }
            state.soundIsLost = true
            take.endSound()
            if case .deviceLost(let name, let words) = lost {
                events.yield(.warning("\(name) is lost (\(words)); the take goes on without sound."))
            }
        }
        if !state.backlogIsTold, writer.waitingSound > 4 {
            state.backlogIsTold = true
            events.yield(.warning("The disk or the encoder is too slow: \(Int(writer.waitingSound)) seconds of sound wait."))
        }
        return writer.waitingSound > 20 ? .writingFailed("the disk is too slow for this take") : nil
    }

    private static func loss(of input: CaptureInput) -> RecordingEndReason? {
        if let failure = input.failure { return .deviceLost(input.name, failure.message) }
        return input.silence > stall ? .deviceLost(input.name, "it has said nothing for 3 seconds") : nil
    }

    private func progress(level: SoundLevel?) -> RecordingProgress {
        let counts = take.counts
        let bytes = writer.bytesWritten
        var progress = RecordingProgress()
        progress.duration = counts.duration
        progress.bytes = bytes
        progress.frames = counts.frames
        progress.droppedFrames = counts.droppedFrames
        progress.level = level
        // The rate of a take's first seconds says nothing yet.
        if counts.duration > 3, bytes > 0, let free = freeSpace(destination.folder) {
            let room = max(0, Double(free - limits.minFreeDiskSpaceLimit))
            progress.spaceFor = room / (Double(bytes) / counts.duration)
        }
        return progress
    }
}
