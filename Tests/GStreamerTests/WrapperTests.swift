import GStreamer
import Synchronization
import Testing

@Suite struct WrapperSmoke {
    @Test func runs() async throws {
        let d = PipelineDescription([[.make("videotestsrc", ["num-buffers": 20]), .caps(try Caps("video/x-raw,width=160,height=120,framerate=30/1")), .make("appsink", name: "out", ["sync": false])]])
        print(d.launchText)
        let p = try d.build()
        let count = Mutex(0)
        let sink = try AppSink(p.bin.element(named: "out")!)
        let (ends, c) = AsyncStream.makeStream(of: Void.self)
        sink.receive { s in count.withLock { $0 += 1 }; return true } onEnd: { c.finish() }
        try await p.setState(.playing)
        for await _ in ends {}
        #expect(count.withLock { $0 } == 20)
        #expect(await p.stop())
        #expect(throws: GStreamerError.self) { try Element("x264enc").set("no-such", to: 1) }
        let r = try AudioResampler(channels: 1, inputRate: 48_240_000, outputRate: 48_000_000)
        let x = [Float](repeating: 0.5, count: 48240)
        let y = x.withUnsafeBufferPointer { r.process($0) }
        print(y.count, r.latency)
    }
}
