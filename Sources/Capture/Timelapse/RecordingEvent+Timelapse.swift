import MediaTypes
import Threads

extension RecordingEvent {
    /// What a timelapse reports, as recordings report it.
    static func stream(of events: AsyncStream<TimelapseEvent>) -> AsyncStream<RecordingEvent> {
        let last = Locked(TimelapseProgress())
        return AsyncStream {
            var iterator = events.makeAsyncIterator()
            guard let event = await iterator.next() else { return nil }
            if case .progress(let progress) = event { last.withLock { $0 = progress } }
            return RecordingEvent(event, RecordingProgress(last.withLock { $0 }))
        }
    }

    /// - Parameter progress: the latest that was told.
    init(_ event: TimelapseEvent, _ progress: RecordingProgress) {
        self =
            switch event {
            case .started(let path, let summary, _): .started(RecordingStart(path: path, summary: summary, latency: 0))
            case .progress: .progress(progress)
            case .paused: .paused(progress)
            case .resumed: .resumed(progress)
            case .warning(let words), .note(let words): .warning(words)
            case .moved(let path): .moved(path)
            case .finishedPart(let part): .finishedPart(part)
            case .finishing: .finishing(progress)
            case .finished(let result, _): .finished(result)
            }
    }
}

extension RecordingProgress {
    /// Shots are frames, and those that were missed are dropped.
    init(_ progress: TimelapseProgress) {
        self.init()
        (duration, bytes, frames) = (progress.duration, progress.bytes, progress.shots)
        (droppedFrames, interruption) = (progress.missed, progress.cameraLoss)
    }
}
