import GStreamer
import Testing

@testable import Capture

struct FrameHandoverTests {
    private func time(_ milliseconds: Int) -> MediaTime { milliseconds * .millisecond }

    private func expect(
        _ handover: inout FrameHandover, _ time: MediaTime, _ input: Int, _ answer: FrameHandover.Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let got = handover.decide(time, from: input)
        #expect(got == answer, sourceLocation: sourceLocation)
    }

    @Test func `the next camera's frames follow the last one's, and nothing comes of that one any more`() {
        var handover = FrameHandover()
        let (old, new) = (handover.number(), handover.number())
        handover.replace(with: old)
        expect(&handover, time(0), old, .pass)
        expect(&handover, time(33), new, .drop)
        handover.prepare(new)
        expect(&handover, time(40), old, .pass)
        expect(&handover, time(50), new, .takeOver)
        expect(&handover, time(80), old, .drop)
        expect(&handover, time(83), new, .pass)
        // It has followed.
        let isAbandoned = handover.abandon(new)
        #expect(!isAbandoned)
    }

    @Test func `one that delivers late, as a network's camera, goes on where the old one stood when it began`() {
        var handover = FrameHandover()
        let (old, new) = (handover.number(), handover.number())
        handover.replace(with: old)
        expect(&handover, time(1000), old, .pass)
        handover.prepare(new)
        expect(&handover, time(400), new, .drop)
        expect(&handover, time(1033), old, .drop)
        expect(&handover, time(1000), new, .drop)
        expect(&handover, time(1001), new, .takeOver)
        #expect(handover.current == new)
    }

    @Test func `where the next one does not come, the old one goes on`() {
        var handover = FrameHandover()
        let (old, new) = (handover.number(), handover.number())
        handover.replace(with: old)
        expect(&handover, time(1000), old, .pass)
        handover.prepare(new)
        expect(&handover, time(10), new, .drop)
        let isAbandoned = handover.abandon(new)
        #expect(isAbandoned)
        expect(&handover, time(1100), old, .pass)
        expect(&handover, time(1200), new, .drop)
    }
}
