import CGStreamer
import TestSupport
import Testing

@testable import GStreamer

@Suite("The bus", .timeLimit(.minutes(10))) struct BusTests {
    private let broken = PipelineDescription([
        [.make("filesrc", name: "missing", ["location": "/nowhere/at all"]), .make("fakesink")]
    ])

    private func ended(_ count: Int) -> PipelineDescription {
        PipelineDescription([[.make("videotestsrc", ["num-buffers": .int(count)]), .make("fakesink")]])
    }

    @Test("Two listeners each get every message") func listeners() async throws {
        let pipeline = try ended(3).build()
        let (one, two) = (pipeline.bus.messages(), pipeline.bus.messages())
        try await pipeline.setState(.playing)
        func names(_ messages: AsyncStream<BusMessage>) async -> [String] {
            var names: [String] = []
            for await message in messages {
                names.append(message.source + String(describing: message.content).prefix(12))
                if case .endOfStream = message.content { break }
            }
            return names
        }
        let (first, second) = (await names(one), await names(two))
        #expect(first == second)
        #expect(first.count > 5)
        await pipeline.stop()
    }

    @Test("Who waits for the end learns of an error, early or late") func errorReachesAll() async throws {
        let pipeline = try broken.build()
        let early = pipeline.bus.messages()
        await #expect(throws: GStreamerError.self) { try await pipeline.setState(.paused) }
        for listener in [early, pipeline.bus.messages()] {
            let error = await listener.first { content -> GStreamerError? in
                if case .error(let error) = content { error } else { nil }
            }
            #expect(error?.isNotFound == true)
        }
    }

    @Test("Who comes after the end learns of it") func lateEnd() async throws {
        let pipeline = try ended(1).build()
        let early = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        let isEnd: (BusMessage.Content) -> Bool? = { if case .endOfStream = $0 { true } else { nil } }
        #expect(await early.first(isEnd) == true)
        #expect(await pipeline.bus.messages().first(isEnd) == true)
    }

    @Test("What a live source lost is told, and what came then") func lost() async throws {
        let pipeline = try ended(1).build()
        let messages = pipeline.bus.messages()
        let source = pipeline.bin.element.pointer
        let told = gst_message_new_qos(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self), 1, .max, .max, 5_000_000_000,
            80_000_000)
        #expect(gst_element_post_message(source, told) != 0)
        let loss = await messages.first { content -> (lost: MediaTime?, before: MediaTime?)? in
            if case .qualityOfService(let lost, let before) = content { (lost, before) } else { nil }
        }
        #expect(loss?.lost == 80 * .millisecond && loss?.before == 5 * .second)
        await pipeline.stop()
    }

    @Test("An error keeps its domain, code, element and details") func errorDetails() async throws {
        let pipeline = try broken.build(name: "take")
        let error = await #expect(throws: GStreamerError.self) { try await pipeline.setState(.paused) }
        #expect(error?.domain == "gst-resource-error-quark")
        #expect(error?.code == 3)
        #expect(error?.element == "/GstPipeline:take/GstFileSrc:missing")
        #expect(error?.message.isEmpty == false)
        #expect(error?.debug.contains("/nowhere/at all") == true)
        #expect(error == pipeline.bus.failure)
    }

    @Test(
        "An element's own message has all its fields", .requires(element: "level", package: "gstreamer1.0-plugins-good")
    )
    func elementMessage() async throws {
        let pipeline = try PipelineDescription([
            [
                .make("audiotestsrc", ["num-buffers": 20]), .caps(Caps("audio/x-raw", ["channels": 2, "rate": 48000])),
                .make("level", ["interval": .int(50_000_000)]), .make("fakesink"),
            ]
        ]).build()
        let messages = pipeline.bus.messages()
        try await pipeline.setState(.playing)
        let level = await messages.first { content -> Structure? in
            if case .element(let structure) = content { structure } else { nil }
        }
        #expect(level?.name == "level")
        #expect(level?["peak"]?.alternatives.count == 2)
        #expect(level?["rms"]?.alternatives.compactMap(\.doubleValue).allSatisfy { $0 < 0 && $0 > -20 } == true)
        #expect(level?["stream-time"]?.intValue == 0)
    }

    @Test("The sequences end when the pipeline goes, also for who asks later") func ends() async throws {
        var pipeline: Pipeline? = Pipeline()
        let bus = try #require(pipeline?.bus)
        let messages = bus.messages()
        pipeline = nil
        for await _ in messages {}
        for await _ in bus.messages() {}
    }

    @Test("Listeners that wait hold no thread: far more of them than processors, and work goes on") func noThreads()
        async throws
    {
        let pipelines = (0..<40).map { _ in Pipeline() }
        await withTaskGroup { group in
            for pipeline in pipelines {
                let messages = pipeline.bus.messages()
                group.addTask { for await _ in messages {} }
            }
            // Each of these needs a thread of the pool for a moment.
            for _ in 0..<100 { await Task { await Task.yield() }.value }
            group.cancelAll()
        }
    }

    @Test("A listener that leaves is forgotten") func leaves() async throws {
        let pipeline = try ended(2).build()
        do { _ = pipeline.bus.messages() }
        let task = Task { [messages = pipeline.bus.messages()] in for await _ in messages {} }
        task.cancel()
        await task.value
        try await pipeline.setState(.playing)
        #expect(await pipeline.stop())
    }
}
