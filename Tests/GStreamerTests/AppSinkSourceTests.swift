import TestSupport
import Threads
import GStreamer
import Testing

@Suite("The ends of a pipeline in Swift", .timeLimit(.minutes(10))) struct AppSinkSourceTests {
    @Test("Only the right elements are taken") func wrongElement() throws {
        #expect(throws: GStreamerError.self) { try AppSink(Element("fakesink")) }
        #expect(throws: GStreamerError.self) { try AppSource(Element("fakesrc")) }
    }

    @Test("Samples arrive in order with caps and running time, then the end") func samples() async throws {
        let samples = try await PipelineDescription.frames(4).run()
        #expect(samples.map(\.runningTime) == [0, 40, 80, 120].map { $0 * .millisecond })
        #expect(samples.allSatisfy { $0.caps?.first?["width"]?.intValue == 16 })
        #expect(samples.compactMap { $0.buffer }.allSatisfy { $0.byteCount == 256 })
    }

    @Test("What is pushed arrives, and the end ends the stream") func pushes() async throws {
        let pipeline = try PipelineDescription([
            [.make("appsrc", name: "in", ["format": "time"]), .make("appsink", name: "out", ["sync": false])]
        ]).build()
        let source = try AppSource(#require(pipeline.bin.element(named: "in")))
        let collector = Collector(try AppSink(#require(pipeline.bin.element(named: "out"))))
        source.setCaps(try Caps("application/x-test"))
        let buffer = [UInt8](1...3).withUnsafeBytes { Buffer(copying: $0, presentationTime: 5, duration: 1) }
        #expect(source.push(buffer))
        #expect(source.push(buffer.retimed(presentationTime: 6, duration: 1)))
        #expect(source.waitingBuffers == 2)
        source.endOfStream()
        try await pipeline.setState(.playing)
        let samples = await collector.all()
        #expect(samples.map(\.runningTime) == [5, 6])
        let first = try #require(samples.first?.buffer)
        #expect(try first.withBytes { Array($0) } == [1, 2, 3])
        #expect(!source.push(buffer))
        await pipeline.stop()
    }

    @Test("A closure that wants no more ends the stream with an error") func refuses() async throws {
        let pipeline = try PipelineDescription.frames(-1).build()
        let count = Locked(0)
        try AppSink(#require(pipeline.bin.element(named: "out"))).receive { _ in
            count.withLock {
                $0 += 1; return $0 < 3
            }
        } onEnd: {
        }
        let messages = pipeline.bus.messages()
        // The error may come before or after the change is complete.
        try? await pipeline.setState(.playing)
        let failed = await messages.first { content -> Bool? in if case .error = content { true } else { nil } }
        #expect(failed == true)
        #expect(count.withLock { $0 } == 3)
        await pipeline.stop()
    }

    @Test("The closures go when others take their place") func replaced() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        let sink = try AppSink(Element("appsink"))
        func set() {
            let captured = Witness()
            witness = captured
            sink.receive { _ in
                withExtendedLifetime(captured) { true }
            } onEnd: {
            }
        }
        set()
        #expect(witness != nil)
        sink.receive { _ in
            true
        } onEnd: {
        }
        #expect(witness == nil)
    }

    @Test("A sample whose segment is not of time has no running time") func otherSegment() async throws {
        let pipeline = PipelineDescription([
            [.make("fakesrc", ["num-buffers": 1, "format": "bytes"]), .make("appsink", name: "out", ["sync": false])]
        ])
        let samples = try await pipeline.run()
        #expect(samples.count == 1)
        #expect(samples.first?.runningTime == nil)
    }

    @Test("Sinks that wait hold no thread of the pool") func noThreads() async throws {
        let pipelines = try (0..<20).map { _ in
            try PipelineDescription([[.make("appsrc", name: "in"), .make("appsink", name: "out")]]).build()
        }
        let collectors = try pipelines.map { Collector(try AppSink(#require($0.bin.element(named: "out")))) }
        await withTaskGroup { group in
            for collector in collectors { group.addTask { _ = await collector.all() } }
            for _ in 0..<100 { await Task { await Task.yield() }.value }
            group.cancelAll()
        }
    }
}
