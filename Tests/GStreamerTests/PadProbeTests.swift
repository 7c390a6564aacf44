import TestSupport
import Threads
import GStreamer
import Testing

@Suite("Probes", .timeLimit(.minutes(10))) struct PadProbeTests {
    private func pad(_ pipeline: Pipeline, _ element: String = "source", _ pad: String = "src") throws -> Pad {
        try #require(pipeline.bin.element(named: element)?.pad(pad))
    }

    private func play(_ pipeline: Pipeline) async throws -> [Sample] {
        let collector = Collector(try AppSink(#require(pipeline.bin.element(named: "out"))))
        try await pipeline.setState(.playing)
        defer { withExtendedLifetime(pipeline) {} }
        let samples = await collector.all()
        await pipeline.stop()
        return samples
    }

    @Test("A probe sees each buffer with its time and bytes") func sees() async throws {
        let pipeline = try PipelineDescription.frames(5).build()
        let seen = Locked<[MediaTime]>([])
        _ = try pad(pipeline).addBufferProbe { buffer in
            if buffer.byteCount == 256 { seen.withLock { $0.append(buffer.presentationTime ?? -1) } }
            return .pass
        }
        #expect(try await play(pipeline).count == 5)
        #expect(seen.withLock { $0 } == (0..<5).map { $0 * 40 * .millisecond })
    }

    @Test("What a probe drops does not arrive") func drops() async throws {
        let pipeline = try PipelineDescription.frames(6).build()
        let count = Locked(0)
        _ = try pad(pipeline).addBufferProbe { _ in
            count.withLock {
                $0 += 1; return $0 % 2 == 0
            } ? .drop : .pass
        }
        #expect(try await play(pipeline).count == 3)
    }

    @Test("Probes of several pads do not mix, and removing one leaves the others") func several() async throws {
        let pipeline = try PipelineDescription.frames(4, [.make("identity", name: "middle")]).build()
        let counts = Locked<[String: Int]>([:])
        let count: @Sendable (String) -> @Sendable (Buffer) -> ProbeAnswer = { name in
            { _ in
                counts.withLock { $0[name, default: 0] += 1 }; return .pass
            }
        }
        _ = try pad(pipeline).addBufferProbe(count("source"))
        let removed = try pad(pipeline).addBufferProbe(count("removed"))
        _ = try pad(pipeline, "middle").addBufferProbe(count("middle"))
        removed.remove()
        removed.remove()
        _ = try await play(pipeline)
        #expect(counts.withLock { $0 } == ["source": 4, "middle": 4])
    }

    @Test("A probe that answers remove is called once, and removing it again is harmless") func removesItself()
        async throws
    {
        let pipeline = try PipelineDescription.frames(4).build()
        let count = Locked(0)
        let probe = try pad(pipeline).addBufferProbe { _ in
            count.withLock { $0 += 1 }; return .remove
        }
        #expect(try await play(pipeline).count == 4)
        probe.remove()
        #expect(count.withLock { $0 } == 1)
    }

    @Test("An end of stream is seen once, and other events are not") func endOfStream() async throws {
        let pipeline = try PipelineDescription.frames(2).build()
        let count = Locked(0)
        _ = try pad(pipeline).addEndOfStreamProbe {
            count.withLock { $0 += 1 }; return .pass
        }
        _ = try await play(pipeline)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("The closure goes when the probe is removed, and when the pad goes") func closureGoes() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        let pipeline = try PipelineDescription.frames(1).build()
        func add() throws -> PadProbe {
            let captured = Witness()
            witness = captured
            return try pad(pipeline).addBufferProbe { _ in withExtendedLifetime(captured) { .pass } }
        }
        let probe = try add()
        #expect(witness != nil)
        probe.remove()
        #expect(witness == nil)
        func pass() throws {
            let other = try PipelineDescription.frames(1).build()
            let captured = Witness()
            witness = captured
            _ = try pad(other).addBufferProbe { _ in withExtendedLifetime(captured) { .pass } }
        }
        try pass()
        #expect(witness == nil)
    }
}
