import CGStreamer
import Foundation
import TestSupport
import Testing

@testable import GStreamer

/// Runs in a process of its own, with GStreamer's leak tracer; see ``OwnershipTests``.
@Suite("Leak scenario", .serialized, .timeLimit(.minutes(10))) struct LeakScenario {
    @Test("Everything once", .enabled(if: Subprocess.isScenario("leaks"))) func everything() async throws {
        try await flow()
        try await failures()
        try values()
        try strings()
        gst_deinit()
    }

    @Test("A leak", .enabled(if: Subprocess.isScenario("a leak"))) func leak() throws {
        let element = try Element("identity")
        g_object_ref(element.reference.pointer)
        gst_deinit()
    }

    @Test("A warning", .enabled(if: Subprocess.isScenario("a warning"))) func warning() throws {
        _ = gst_object_ref(nil)
    }

    private func flow() async throws {
        let pipeline = try PipelineDescription([
            [
                .make("appsrc", name: "in", ["format": "time"]), .make("tee", name: "t"),
                .make("fakesink", ["async": false]),
            ],
            [
                .pad(of: "t", template: "src_%u"), .make("queue"),
                .make("appsink", name: "out", ["sync": false, "async": false]),
            ],
        ]).build()
        let source = try AppSource(#require(pipeline.bin.element(named: "in")))
        let collector = Collector(try AppSink(#require(pipeline.bin.element(named: "out"))))
        let probe = try #require(source.element.pad("src")).addBufferProbe { $0.byteCount == 2 ? .drop : .pass }
        _ = try #require(source.element.pad("src")).addEndOfStreamProbe { .remove }
        let messages = pipeline.bus.messages()
        source.setCaps(Caps("application/x-test", ["mask": .bitmask(3)]))
        try await pipeline.setState(.playing)
        for size in 1...3 {
            var buffer = [UInt8](repeating: 7, count: size).withUnsafeBytes {
                Buffer(copying: $0, presentationTime: MediaTime(nanoseconds: Int64(size)), duration: 1)
            }
            let other = buffer.retimed(presentationTime: MediaTime(nanoseconds: Int64(size)), duration: nil)
            try buffer.withMutableBytes { $0[0] = 1 }
            source.push(buffer)
            source.push(other)
        }
        source.endOfStream()
        let samples = await collector.all()
        #expect(samples.count == 4)
        #expect(samples.allSatisfy { $0.caps != nil && $0.runningTime != nil })
        #expect(await messages.first { if case .endOfStream = $0 { true } else { nil } } == true)
        probe.remove()
        await pipeline.stop()
        #expect(!source.push(try #require(samples.first?.buffer)))
    }

    private func failures() async throws {
        for line in [
            "videotestsrc ! nosuch ! fakesink", "videotestsrc pattern=nosuch ! fakesink", "audiotestsrc ! videoconvert",
        ] {
            #expect(throws: GStreamerError.self) { try Bin(parsing: line) }
        }
        let pipeline = try PipelineDescription([[.make("filesrc", ["location": "/nowhere/x"]), .make("fakesink")]])
            .build()
        await #expect(throws: GStreamerError.self) { try await pipeline.setState(.paused) }
        #expect(throws: GStreamerError.self) { try pipeline.bin.add(pipeline.bin.element) }
        #expect(throws: GStreamerError.self) { try Element("queue").set("nosuch", to: 1) }
        #expect(throws: GStreamerError.self) { try Element("queue").set("max-size-buffers", to: "x") }
        #expect(throws: GStreamerError.self) { try Element("identity").addTag("title", "x") }
        #expect(throws: GStreamerError.self) { try DiscoveredMedia(uri: "file:///nowhere/x") }
        #expect(throws: GStreamerError.self) {
            try PipelineDescription([[.make("audiotestsrc"), .make("tee"), .make("videoconvert")]]).build()
        }
        await pipeline.stop()
    }

    private func values() throws {
        for value in CapsTests.values {
            let caps = Caps("application/x-test", ["field": value])
            #expect(try Caps(caps.description).canIntersect(caps))
            let filter = try Element("capsfilter")
            try filter.set("caps", to: .caps(caps))
            #expect(filter.get("caps") == .caps(caps))
        }
        let tee = try Element("tee")
        let pad = try tee.requestPad("src_%u")
        #expect(pad.possibleCaps?.isAny == true)
        #expect(ElementFactory("videotestsrc")?.templateCaps(source: true).count == 1)
        let device = Device(adopting: try #require(TestProvider.device("x")))
        #expect(device.caps != nil)
        #expect(device.properties.fields.count == 1)
        try Element("qtmux").addTag("title", "x")
    }

    /// Strings are no objects, so the tracer does not see them; the size of the process does.
    private func strings() throws {
        let device = Device(adopting: try #require(TestProvider.device("a device with a name that takes some room")))
        let element = try Element("identity", name: "an-element-with-a-name-that-takes-some-room")
        let caps = try Caps("video/x-raw,width=640,height=480")
        func round() {
            for _ in 0..<20_000 {
                _ = (
                    device.deviceClass, device.displayName, element.name, element.path, element.factoryName,
                    caps.description
                )
            }
        }
        func pages() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
        round()
        let before = try pages()
        round()
        round()
        // Each string left behind would cost 32 bytes or more: 40 000 of one kind are 300 pages.
        #expect(try pages() - before < 150)
    }
}
