import LiveActivity
import MovieFiles
import Testing

@testable import Capture

@Suite struct RecordingEventTests {
    private func progress(_ frames: Int) -> RecordingEvent {
        var progress = RecordingProgress()
        progress.frames = frames
        return .progress(progress)
    }

    private func words(_ event: RecordingEvent) -> String {
        switch event {
        case .started: "started"
        case .progress(let progress): "progress \(progress.frames)"
        case .finishing: "finishing"
        case .paused: "paused"
        case .resumed: "resumed"
        case .warning(let words), .switchedCamera(let words): words
        case .marked(let chapter): chapter.title
        case .finishedPart(let part), .deletedPart(let part), .saved(let part): "\(part)"
        case .standby: "standby"
        case .moved(let path), .pinned(let path): "\(path)"
        case .finished: "finished"
        }
    }

    @Test(.timeLimit(.minutes(10))) func `a reader who comes late finds all but the progress that is out of date`()
        async
    {
        let events = Mailbox<RecordingEvent>()
        for frames in 1...1000 { events.put(progress(frames)) }
        events.put(.warning("a warning"))
        for frames in 1001...2000 { events.put(progress(frames)) }
        events.finish()
        events.put(.warning("too late"))
        var seen: [String] = []
        for await event in events.stream { seen.append(words(event)) }
        #expect(seen == ["a warning", "progress 2000"])
    }

    @Test(.timeLimit(.minutes(10))) func `a reader who waits gets each event, and the end`() async {
        let events = Mailbox<RecordingEvent>()
        let reader = Task { () -> [String] in
            var seen: [String] = []
            for await event in events.stream { seen.append(words(event)) }
            return seen
        }
        for number in 0..<100 {
            events.put(.warning("\(number)"))
            await Task.yield()
        }
        events.finish()
        #expect(await reader.value == (0..<100).map(String.init))
    }

    @Test(.timeLimit(.minutes(10))) func `a reader that is cancelled does not hang`() async {
        let events = Mailbox<RecordingEvent>()
        let reader = Task { for await _ in events.stream {} }
        await Task.yield()
        reader.cancel()
        await reader.value
    }
}
