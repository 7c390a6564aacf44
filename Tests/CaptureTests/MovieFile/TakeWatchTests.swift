import MovieFiles
import Testing

@testable import Capture

@Suite struct TakeWatchTests {
    private let fine = TakeWatch.Sight(
        bytes: 1_000_000, freeBytes: 10_000_000_000, duration: 2, camera: .init(name: "Camera"),
        microphone: .init(name: "Microphone"))

    @Test func `while all is well nothing is said`() {
        var watch = TakeWatch(limits: RecordingLimits())
        let (warnings, end) = watch.look(at: fine)
        #expect(warnings.isEmpty)
        #expect(end == nil)
    }

    @Test func `a lost microphone is told once, and the take goes on`() {
        var watch = TakeWatch(limits: RecordingLimits())
        var sight = fine
        sight.microphone?.loss = "Disconnected"
        let first = watch.look(at: sight)
        #expect(first.warnings == ["Microphone is lost (Disconnected); the take goes on in silence."])
        #expect(first.end == nil)
        #expect(watch.look(at: sight).warnings.isEmpty)
    }

    @Test func `a lost camera ends the take, as does a lost microphone without a camera`() {
        var watch = TakeWatch(limits: RecordingLimits())
        var sight = fine
        sight.camera?.loss = "unplugged"
        #expect(watch.look(at: sight).end == .deviceLost("Camera", "unplugged"))
        sight.camera = nil
        sight.microphone?.loss = "gone"
        #expect(watch.look(at: sight).end == .deviceLost("Microphone", "gone"))
    }

    @Test func `a limit of the size counts what is under way`() {
        var watch = TakeWatch(limits: RecordingLimits(maxRecordedFileSize: 1_500_000))
        #expect(watch.look(at: fine).end == nil)
        var sight = fine
        sight.bytes = 1_100_000
        #expect(watch.look(at: sight).end == .maximumSizeReached)
    }

    @Test func `too little space ends the take; where the system says nothing it goes on`() {
        var watch = TakeWatch(limits: RecordingLimits(minFreeDiskSpaceLimit: 50_000_000))
        var sight = fine
        sight.freeBytes = 50_100_000
        #expect(watch.look(at: sight).end == .minimumFreeSpaceReached)
        sight.freeBytes = nil
        #expect(watch.look(at: sight).end == nil)
    }

    @Test func `a disk that is too slow is warned about, then ends the take before memory is short`() {
        var watch = TakeWatch(limits: RecordingLimits())
        var sight = fine
        sight.waitingSound = 5
        #expect(watch.look(at: sight).warnings.count == 1)
        #expect(watch.look(at: sight).warnings.isEmpty)
        sight.waitingSound = 21
        #expect(watch.look(at: sight).end?.isIntended == false)
    }

    @Test func `what failed in writing comes before everything else`() {
        var watch = TakeWatch(limits: RecordingLimits())
        var sight = fine
        sight.writingFailure = "the disk is full"
        sight.camera?.loss = "unplugged"
        #expect(watch.look(at: sight).end == .writingFailed("the disk is full"))
    }
}

@Suite struct EventQueueTests {
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
        case .warning(let words): words
        case .marked(let chapter): chapter.title
        case .finished: "finished"
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a reader who comes late finds all but the progress that is out of date`() async
    {
        let queue = EventQueue()
        for frames in 1...1000 { queue.send(progress(frames)) }
        queue.send(.warning("a warning"))
        for frames in 1001...2000 { queue.send(progress(frames)) }
        queue.send(.finishing(RecordingProgress()))
        // A look that was under way when the end came.
        queue.send(progress(2001))
        queue.finish()
        queue.send(.warning("too late"))
        var seen: [String] = []
        for await event in queue.events { seen.append(words(event)) }
        #expect(seen == ["progress 1000", "a warning", "progress 2000", "finishing"])
    }

    @Test(.timeLimit(.minutes(1))) func `a reader who waits gets each event, and the end`() async {
        let queue = EventQueue()
        let reader = Task { () -> [String] in
            var seen: [String] = []
            for await event in queue.events { seen.append(words(event)) }
            return seen
        }
        for number in 0..<100 {
            queue.send(.warning("\(number)"))
            await Task.yield()
        }
        queue.finish()
        #expect(await reader.value == (0..<100).map(String.init))
    }

    @Test(.timeLimit(.minutes(1))) func `a reader that is cancelled does not hang`() async {
        let queue = EventQueue()
        let reader = Task { for await _ in queue.events {} }
        await Task.yield()
        reader.cancel()
        await reader.value
    }
}
