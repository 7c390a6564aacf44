import FileSystem
import Threads
import AsyncAlgorithms
import Encoding
import GStreamer
import LiveActivity
import Logging
import MovieFiles
import SystemPackage

/// Watches over a take from its first frame to its complete file: progress, limits, faults, the bounded stop.
struct RecordingSupervisor: Sendable {
    let take: RunningRecording
    let writer: MovieWriter
    let parts: RecordingParts
    let video: VideoFeed?
    let audio: AudioFeed?
    /// Frames that the camera had lost when the take began.
    let lostBefore: Int
    let limits: RecordingLimits
    let disk: DiskSpace
    /// Where the file was asked for.
    let path: FilePath
    let events: Mailbox<RecordingEvent>
    /// Reasons to end, the first of which counts.
    let causes: AsyncStream<RecordingEndReason>
    let cause: AsyncStream<RecordingEndReason>.Continuation
    /// Fires when every track has reached the take's end.
    let complete: AsyncSignal
    let now: @Sendable () -> MediaTime

    /// How often progress is told, and stalls and limits are looked for, in seconds. Each look wakes half a dozen threads,
    /// which is what a take of a small frame costs beside its encoder.
    static let interval = 0.5
    /// How long tracks get to deliver what lies before the end; two frames of a slow camera, or a sound server's buffer.
    static let grace = 1.0
    /// How long the encoders may hand out nothing of what they hold before they are given up.
    static let flush = 3.0
    /// The same while the file is empty: on a machine that is busy with something else a slow encoder may not have come to
    /// its first frame yet, and the whole take would be lost.
    static let firstFlush = 30.0

    func pause() { if take.pause(at: now()) { events.put(.paused(progress())) } }

    func resume() { if take.resume(at: now()) { events.put(.resumed(progress())) } }

    func mark(_ title: String?) { if let chapter = take.mark(title, at: now()) { events.put(.marked(chapter)) } }

    func run() async -> RecordingResult {
        let watch = Task { await self.watch() }
        writer.takeChapters { [take] in take.chapters }
        let told = Task { await parts.tell() }
        var reason = RecordingEndReason.stopped
        for await first in causes {
            reason = first
            break
        }
        watch.cancel()
        log.debug("take ends", metadata: ["reason": "\(reason)", "drift in ppm": "\(audio?.drift ?? 0)"])
        take.end(at: now())
        // A lost camera delivers nothing more that would be worth waiting for.
        let isAudioLost = audio?.input.state.isOver == true
        if video?.input.state.isOver == true { take.endVideo(isLost: true) }
        if isAudioLost { take.endAudio() }
        var isComplete = true
        if case .writingFailed = reason {} else { isComplete = await complete.wait(seconds: Self.grace) }
        // What was being looked at when the end came is told before it, not after; so is what the last samples were waited for
        // in vain, as their device ended just before.
        var watcher = await watch.value
        if isAudioLost || !isComplete {
            for warning in watcher.look(at: seen()).warnings { events.put(.warning(warning)) }
        }
        take.endVideo()
        take.endAudio()
        events.put(.finishing(progress()))
        var result = await finish(reason, told)
        result.losses = watcher.losses
        events.put(.finished(result))
        events.finish()
        return result
    }

    /// - Parameter told: the parts, known when the writer has finished.
    private func finish(
        _ reason: RecordingEndReason, _ told: Task<[RecordingPart], Never>
    ) async -> RecordingResult {
        var last = progress()
        do {
            let file = try await writer.finish(
                within: writer.partBytes == 0 ? Self.firstFlush : Self.flush, chapters: take.chapters,
                movement: writer.countEncodedFrames())
            let parts = await told.value
            last.take(file, after: parts, begin: writer.partBegin)
            let broken = parts.first { !$0.fileIsGood }
            return RecordingResult(
                reason: reason.considering(file.fault), fileIsGood: file.isComplete && broken == nil, path: file.path,
                parts: parts, progress: last, problem: file.problem ?? broken?.problem)
        } catch {
            let parts = await told.value
            last.take(nil, after: parts, begin: writer.partBegin)
            return RecordingResult(
                reason: reason.considering(writer.failureWords.map { .writing($0) }), fileIsGood: false, path: nil,
                parts: parts, progress: last, problem: "\(error)")
        }
    }

    /// Tells the progress and finds reasons to end, until cancelled.
    private func watch() async -> RecordingMonitor {
        var watcher = RecordingMonitor(limits: limits)
        var place: FilePath?
        disk.refresh()
        // The sequence ends when the task is cancelled.
        for await occasion in occasions {
            if occasion == .time {
                disk.refresh()
                events.put(.progress(progress(readingLevel: true)))
            }
            take.settle(now: now())
            await parts.look(movie: take.counts.duration)
            take.keepAudioGoing(
                now: now(), isLost: audio?.input.state.isOver == true, isInterrupted: audio?.input.state == .stalled)
            if case .moved(let new) = disk.whereabouts, new != place {
                place = new
                events.put(.moved(new))
            }
            let (warnings, found) = watcher.look(at: seen())
            for warning in warnings { events.put(.warning(warning)) }
            if let found { cause.yield(found) }
        }
        return watcher
    }

    private enum Occasion { case time, fault }

    /// When to look: all the time, and at once where a device reports an error or its end.
    private var occasions: some AsyncSequence<Occasion, Never> {
        func faults(_ input: (any MicrophoneInput)?) -> some AsyncSequence<Occasion, Never> & Sendable {
            (input?.states() ?? AsyncStream { nil }).map { _ in Occasion.fault }
        }
        let timer = AsyncTimerSequence(interval: .seconds(Self.interval), clock: .continuous).map { _ in Occasion.time }
        return merge(timer, faults(video?.input), faults(audio?.input))
    }

    /// Frames that the camera lost. What its driver tells of leaves a gap in the stream as well, unless the camera keeps to no
    /// rhythm, and so is not counted twice.
    private func lost(_ counts: RunningRecording.Counts) -> Int {
        max((video?.lostFrames ?? 0) - lostBefore, counts.missingFrames)
    }

    private func seen() -> RecordingMonitor.Sight {
        let counts = take.counts
        return RecordingMonitor.Sight(
            writingFailure: writer.failureWords, fileLoss: fileLoss, bytes: writer.bytesWritten, freeBytes: disk.free,
            duration: counts.duration, droppedFrames: counts.droppedFrames, lostFrames: lost(counts),
            waitingFrames: counts.waitingFrames, waitingLimit: counts.waitingLimit,
            waitingAudio: writer.waitingAudio,
            camera: video.map { .init(name: $0.input.name, state: $0.input.state) },
            microphone: audio.map { .init(name: $0.input.name, state: $0.input.state) },
            isOverdue: take.end.map { now() - $0 > MediaTime(seconds: Self.grace) } ?? false)
    }

    private var fileLoss: String? {
        let found = disk.whereabouts
        switch found {
        case .here, .moved: return nil
        case .deleted, .replaced: return found.loss(of: writer.path ?? path)
        }
    }

    private func progress(readingLevel: Bool = false) -> RecordingProgress {
        let counts = take.counts
        let bytes = writer.bytesWritten
        var progress = RecordingProgress()
        progress.duration = MediaTime(seconds: counts.duration)
        progress.bytes = bytes
        progress.frames = counts.frames
        progress.droppedFrames = counts.droppedFrames + lost(counts)
        progress.level = readingLevel ? take.readLevel() : nil
        // The rate of a take's first seconds says nothing yet.
        if counts.duration > 3, bytes > 0, let free = disk.free {
            let room = max(0, Double(free - limits.minFreeDiskSpaceLimit))
            progress.spaceFor = room / (Double(bytes) / counts.duration)
        }
        return progress
    }
}

extension RecordingProgress {
    /// Takes the files' own numbers. What was encoded and is in none of them is counted as dropped.
    fileprivate mutating func take(_ file: FinishedFile?, after parts: [RecordingPart], begin: MediaTime) {
        let written = parts.reduce(file?.frames ?? 0) { $0 + $1.frames }
        droppedFrames += max(0, frames - written)
        frames = written
        duration =
            file.map { begin + MediaTime(seconds: $0.duration) } ?? parts.last.map { $0.start + $0.duration } ?? .zero
        bytes = parts.reduce(file?.size ?? 0) { $0 + $1.bytes }
    }
}

extension RecordingEndReason {
    /// Whatever ended the take, a file that lacks something of it, or is elsewhere, is a fault.
    fileprivate func considering(_ fault: FinishedFile.Fault?) -> RecordingEndReason {
        if case .deviceLost = self { return self }
        return switch fault {
        case .writing(let words): .writingFailed(words)
        case .lost(let words): .fileLost(words)
        case nil: self
        }
    }
}
