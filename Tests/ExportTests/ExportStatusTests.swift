import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// How an export stands, by its events alone.
@Suite struct ExportStatusTests {
    private func state(_ events: ExportStatus.Event...) -> ExportStatus.State {
        events.reduce(into: ExportStatus.State()) { $0.take($1) }
    }

    @Test func `a run begins with nothing of the one before it`() {
        let ended: [ExportStatus.Event] = [
            .opened, .began(.init(phase: .encoding, step: "Pass 1 of 2", share: 0..<0.4, duration: .second)),
            .submitting(track: "video"), .frameSubmitted(until: .second / 2), .frameEncoded(bytes: 100),
            .frameSubmitted(until: .second),
            .videoEnded(at: .second, frames: 2, lastFrame: .second / 2, longestFrame: .second / 2),
            .audioEnded(at: 2 * .second, track: 1, isDecoded: true), .written(bytes: 50), .thumbnailWritten("/x.jpg"),
            .aborted,
        ]
        var state = ExportStatus.State()
        for event in ended { state.take(event) }
        #expect(state.run.isAborted && state.run.end == 2 * .second && state.run.frames == 2)
        state.take(.began(.init(phase: .encoding, step: "Pass 2 of 2", share: 0.4..<1, duration: .second)))
        var fresh = ExportProgress()
        (fresh.phase, fresh.step, fresh.fraction, fresh.mediaDuration) = (.encoding, "Pass 2 of 2", 0.4, .second)
        #expect(state.run.progress == fresh)
        #expect(!state.run.isAborted && state.run.frames == nil && state.run.end == 0 && state.run.encodedBytes == 0)
        #expect(state.run.audioEnds.isEmpty && state.run.encoding.isEmpty && state.run.submitting.isEmpty)
        #expect(state.run.lastFrame == nil && state.run.longestFrame == 0)
    }

    @Test func `of several files each has its share, and what those before it have counts`() {
        let part = ExportStatus.Part(
            number: 2, count: 3, output: "/b-2.mov", share: 0.25..<0.75, duration: 8 * .second,
            earlier: (frames: 10, bytes: 100, time: 2 * .second))
        var state = state(
            .opened, .began(.init(phase: .encoding, duration: .second)), .reserved(0.5), .completed(size: 1),
            .part(part),
            .opened, .began(.init(phase: .encoding, duration: 4 * .second)), .frameSubmitted(until: 2 * .second),
            .frameEncoded(bytes: 5), .written(bytes: 20))
        let progress = part.all(state.run.progress)
        #expect(progress.fraction == 0.5 && progress.framesWritten == 11 && progress.bytesWritten == 120)
        #expect(progress.mediaTime == 4 * .second && progress.mediaDuration == 8 * .second)
        #expect(progress.part == .init(number: 2, count: 3, output: "/b-2.mov"))
        // It is complete, and the work is not.
        state.take(.verifying)
        state.take(.completed(size: 30))
        #expect(part.all(state.run.progress).fraction == 0.75 && part.all(state.run.progress).phase == .encoding)
        var last = part
        (last.number, last.share) = (3, 0.75..<1)
        #expect(last.all(state.run.progress).fraction == 1 && last.all(state.run.progress).phase == .verifying)
    }

    @Test func `what a person asks for outlives a run`() {
        let state = state(.opened, .paused(true), .stopped, .began(.init(phase: .encoding)))
        #expect(state.isPaused && state.isStopped && state.phase == .exporting)
    }

    @Test func `a run's part of the work is its part of the fraction, which reaches 1 with the name only`() {
        var state = state(.began(.init(phase: .encoding, share: 0.5..<1, duration: 4 * .second)))
        state.take(.frameSubmitted(until: 2 * .second))
        #expect(state.run.progress.fraction == 0.5)
        state.take(.frameEncoded(bytes: 10))
        #expect(state.run.progress.fraction == 0.75 && state.run.progress.mediaTime == 2 * .second)
        state.take(.frameSubmitted(until: 4 * .second))
        state.take(.frameEncoded(bytes: 10))
        #expect(state.run.progress.fraction == 0.999 && state.run.encodedBytes == 20)
        state.take(.completed(size: 30))
        #expect(state.run.progress.fraction == 1 && state.run.progress.bytesWritten == 30)
    }

    @Test func `the time is that of the frame whose turn it is, whichever came out`() {
        var state = state(.began(.init(phase: .encoding, duration: .second)))
        for end in [3, 1, 2] { state.take(.frameSubmitted(until: end * .millisecond)) }
        state.take(.frameEncoded(bytes: 1))
        #expect(state.run.progress.mediaTime == 3 * .millisecond)
        state.take(.frameEncoded(bytes: 1))
        #expect(state.run.progress.mediaTime == 3 * .millisecond && state.run.progress.framesWritten == 2)
    }

    @Test func `audio leads only where there is no frame`() {
        let began = ExportStatus.Event.began(.init(phase: .encoding, duration: .second))
        let beside = state(began, .audioSubmitted(until: .second / 2, isLeading: false))
        #expect(beside.run.progress.mediaTime == 0 && beside.progressCounter == 1)
        #expect(state(began, .audioSubmitted(until: .second / 2, isLeading: true)).run.progress.fraction == 0.5)
    }

    @Test func `copied bytes are the fraction, also of an empty input`() {
        #expect(state(.began(.init()), .copied(bytes: 25, size: 100)).run.progress.fraction == 0.25)
        #expect(state(.began(.init()), .copied(bytes: 0, size: 0)).run.progress.fraction == 0)
        #expect(state(.began(.init()), .copied(bytes: 100, size: 100)).run.progress.fraction == 0.999)
    }

    @Test func `the file is completed only when the last frame has left its encoder`() {
        var state = state(.began(.init(phase: .encoding, duration: .second)))
        for end in [500, 1000] { state.take(.frameSubmitted(until: end * .millisecond)) }
        state.take(.frameEncoded(bytes: 1))
        state.take(.finishing)
        #expect(state.run.progress.phase == .encoding)
        state.take(.frameEncoded(bytes: 1))
        #expect(state.run.progress.phase == .finishing)
        let audio = self.state(
            .began(.init(phase: .encoding)), .audioSubmitted(until: .second, isLeading: true), .finishing)
        #expect(audio.run.progress.phase == .finishing)
    }
}
