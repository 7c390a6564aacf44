import Encoding
import Errors
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Capture

/// Frames and samples for programs, beside a recording.
@Suite(.timeLimit(.minutes(10))) struct SampleOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a slow reader gets the newest upright frames, and the recording has all`() async throws {
        let session = CaptureSession()
        // White on the left, black on the right; it hangs on its side, so that white is above.
        var plan = try VideoSourcePlan(
            .launchLine(
                "compositor name=c background=black sink_0::width=160 sink_0::height=180 "
                    + "videotestsrc is-live=true pattern=white ! video/x-raw,width=160,height=180,framerate=30/1 ! c. "
                    + "c. ! video/x-raw,format=I420,width=320,height=180,framerate=30/1"))
        plan.orientation = MovieOrientation(rotation: .quarter)
        let (camera, microphone) = (plan, try AudioSourcePlan(.test(TestTone()), channels: 2))
        try await session.configure { ($0.camera, $0.microphone) = (camera, microphone) }
        let (images, sounds) = (VideoFrameOutput(size: VideoSize(90, 160)), AudioSampleOutput())
        try await session.addOutput(images)
        try await session.addOutput(sounds)
        try await session.start()
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: 2))
        async let heard = samples(sounds, seconds: 0.5)
        var times: [MediaTime] = []
        for await frame in images.frames {
            times.append(frame.time)
            #expect(frame.size == VideoSize(90, 160))
            let (above, below, count) = try frame.withPixels {
                ($0[(20 * 90 + 45) * 4], $0[(140 * 90 + 45) * 4], $0.count)
            }
            #expect(above > 225 && below < 25 && count == 90 * 160 * 4, "\(above), \(below)")
            if times.count == 4 { break }
            try await Task.sleep(for: .milliseconds(300))
        }
        // One after the other they would be three thirtieths of a second.
        #expect(times[3] - times[0] > 300 * .millisecond, "\(times)")
        let audio = await heard
        let result = await take.result
        await session.stop()
        // A busy machine's encoder may drop a few; whom the reader held up would lack many.
        let (frames, dropped) = (result.progress.frames, result.progress.droppedFrames)
        #expect(result.reason == .maximumDurationReached && frames + dropped == 60 && dropped < 10, "\(result)")
        // One behind the other, to the sample.
        let places = audio.map { ($0.time.seconds * Double($0.rate), $0.values.count / $0.channels) }
        #expect(zip(places, places.dropFirst()).allSatisfy { abs($0.0 + Double($0.1) - $1.0) < 0.1 })
        #expect(audio.flatMap(\.values).map { abs($0) }.max() ?? 0 > 0.1)
    }

    private func samples(_ output: AudioSampleOutput, seconds: Double) async -> [AudioSamples] {
        var (all, length): ([AudioSamples], Double) = ([], 0)
        for await samples in output.samples {
            all.append(samples)
            length += Double(samples.values.count / samples.channels) / Double(samples.rate)
            if length > seconds { break }
        }
        return all
    }

    @Test func `an output belongs to one session, until it is removed or the session is gone`() async throws {
        let (one, other) = (CaptureSession(), CaptureSession())
        let outputs: [any CaptureOutput] = [
            VideoFrameOutput(), AudioSampleOutput(), PhotoOutput(), MovieFileOutput(),
        ]
        for output in outputs {
            try await CaptureSession().addOutput(output)
            try await one.addOutput(output)
            try await one.addOutput(output)
            await #expect(throws: RushesError.self) { try await other.addOutput(output) }
            // Not that one's.
            await other.removeOutput(output)
            await #expect(throws: RushesError.self) { try await other.addOutput(output) }
            await one.removeOutput(output)
            try await other.addOutput(output)
        }
    }

    /// Nobody but the session holds the outputs while it runs.
    @Test func `streams begin when the output is added, and end when it is removed`() async throws {
        let session = try await TestTake.session()
        let (frames, samples) = try await {
            let (images, sounds) = (VideoFrameOutput(), AudioSampleOutput())
            let streams = (images.frames, sounds.samples)
            try await session.addOutput(images)
            try await session.addOutput(sounds)
            return streams
        }()
        var (images, sounds) = (frames.makeAsyncIterator(), samples.makeAsyncIterator())
        #expect(await images.next() != nil)
        #expect(await sounds.next() != nil)
        for output in session.outputs.withLock({ $0 }) { await session.removeOutput(output) }
        while await images.next() != nil {}
        while await sounds.next() != nil {}
        await session.stop()
    }

    @Test func `whether a photo can be taken is told to who asks before the output is added`() async throws {
        let session = try await TestTake.session()
        let output = PhotoOutput()
        var readiness = output.readiness.makeAsyncIterator()
        #expect(await readiness.next() == .notReady)
        try await session.addOutput(output)
        while await readiness.next() != .ready {}
        await session.stop()
    }

    @Test func `a photo output that is removed takes no photos and keeps no frames, until it is added again`()
        async throws
    {
        let session = try await TestTake.session()
        let (output, other) = (PhotoOutput(), PhotoOutput())
        for output in [output, other] { try await session.addOutput(output) }
        var readiness = output.readiness.makeAsyncIterator()
        while await readiness.next() != .ready {}
        await session.removeOutput(output)
        while await readiness.next() != nil {}
        // One is left that needs the frames.
        _ = try await other.capturePhoto(to: FilePath(folder.file("a.jpg")))
        await session.removeOutput(other)
        var frames = await session.photoFrames.readiness.makeAsyncIterator()
        #expect(await frames.next() == .notReady)
        await #expect(throws: RushesError.self) {
            try await output.capturePhoto(to: FilePath(folder.file("b.jpg")))
        }
        try await session.addOutput(output)
        readiness = output.readiness.makeAsyncIterator()
        while await readiness.next() != .ready {}
        _ = try await output.capturePhoto(to: FilePath(folder.file("b.jpg")))
        await session.stop()
        #expect(folder.contents == ["a.jpg", "b.jpg"])
    }
}
