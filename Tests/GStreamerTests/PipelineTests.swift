import Threads
import GStreamer
import TestSupport
import Testing

@Suite("Pipelines", .timeLimit(.minutes(10))) struct PipelineTests {
    @Test("An error while the pipeline waits for its first buffer is thrown at once") func earlyError() async throws {
        // The source's thread fails after the change has begun; the sink would wait for ever.
        let pipeline = try PipelineDescription([
            [
                .make("fakesrc", ["num-buffers": 5]), .make("identity", ["error-after": 1]),
                .make("fakesink", ["sync": true]),
            ]
        ]).build()
        let error = await #expect(throws: GStreamerError.self) {
            try await pipeline.setState(.paused, within: .seconds(30))
        }
        #expect(error?.message.contains("30 seconds") == false, "the element's error, not the end of the timeout")
    }

    @Test("A change that never completes ends with an error after the stated time") func bounded() async throws {
        // Nothing is ever pushed, so the sink never has its first buffer.
        let pipeline = try PipelineDescription([[.make("appsrc"), .make("fakesink")]]).build()
        let error = await #expect(throws: GStreamerError.self) {
            try await pipeline.setState(.paused, within: .milliseconds(100))
        }
        #expect(error?.message.contains("0.1 seconds") == true)
        #expect(await pipeline.stop())
        #expect(pipeline.bin.element.currentState == .null)
    }

    @Test("The last reference may go on a streaming thread") func lastReferenceOnStreamingThread() async throws {
        let held = Locked<Pipeline?>(nil)
        func start() async throws -> AsyncStream<BusMessage> {
            let pipeline = try PipelineDescription.frames(-1).build()
            _ = try #require(pipeline.bin.element(named: "source")?.pad("src")).addBufferProbe { _ in
                // Stopping joins this very thread: if it happened here, it would wait for itself.
                held.withLock { $0 = nil }
                return .pass
            }
            try await pipeline.setState(.paused)
            held.withLock { $0 = pipeline }
            try await pipeline.setState(.playing)
            return pipeline.bus.messages()
        }
        // The messages end when the pipeline goes.
        for await _ in try await start() {}
        #expect(held.withLock { $0 == nil })
    }

    @Test("The system's clock and a base time make running times of several pipelines comparable") func clock()
        async throws
    {
        let pipeline = try PipelineDescription.frames(2).build()
        let base = Pipeline.systemTime - 5 * .second
        pipeline.useSystemClock(baseTime: base)
        try await pipeline.setState(.playing)
        #expect(pipeline.baseTime == base)
        await pipeline.stop()
    }

    @Test("What runs by itself stops with its pipeline, or when that goes, started or not") func lockedState()
        async throws
    {
        func end(in pipeline: Pipeline) throws -> Element {
            let end = try Element("appsink")
            try end.set("async", to: false)
            try pipeline.bin.add(end)
            end.playWithLockedState()
            #expect(end.currentState == .playing)
            return end
        }
        let pipeline = try PipelineDescription.frames(2).build()
        let stopped = try end(in: pipeline)
        try await pipeline.setState(.paused)
        #expect(await pipeline.stop())
        #expect(stopped.currentState == .null)
        let left = try end(in: Pipeline())
        // On a thread of its own, which nobody hears of.
        #expect(try await onOwnThread { TimeLimit(.seconds(60)).wait { left.currentState == .null } })
    }

    @Test("The end of the stream completes the file", .requires(element: "qtmux", package: "gstreamer1.0-plugins-good"))
    func endOfStream() async throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/take.mov"
        let pipeline = try PipelineDescription([
            [
                .make("videotestsrc", ["num-buffers": 5]),
                .caps(try Caps("video/x-raw,format=I420,width=64,height=48,framerate=50/1")),
                .make("jpegenc"), .make("qtmux"), .make("filesink", ["location": .text(path)]),
            ]
        ]).build()
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        #expect(await messages.first { if case .endOfStream = $0 { true } else { nil } } == true)
        #expect(await pipeline.stop())
        let media = try DiscoveredMedia(uri: "file://" + path)
        #expect(media.streams.map(\.kind) == [.video])
        #expect(try #require(media.duration) >= 100 * .millisecond)
    }
}
