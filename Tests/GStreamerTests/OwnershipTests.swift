import CGStreamer
import Foundation
import Synchronization
import Testing

@testable import GStreamer

@Suite("Ownership", .timeLimit(.minutes(10))) struct OwnershipTests {
    private func count(_ reference: ObjectReference) -> guint {
        reference.pointer.assumingMemoryBound(to: GObject.self).pointee.ref_count
    }

    @Test("A new element has one reference, in a bin two, and one again when the bin goes") func elements() throws {
        let element = try Element("identity", name: "x")
        #expect(count(element.reference) == 1)
        #expect(g_object_is_floating(element.reference.pointer) == 0)
        do {
            let pipeline = Pipeline()
            try pipeline.bin.add(element)
            #expect(count(element.reference) == 2)
            do { _ = pipeline.bin.element(named: "x") }
            do { _ = element.pad("src") }
            #expect(count(element.reference) == 2)
        }
        #expect(count(element.reference) == 1)
    }

    @Test("A parsed bin has one reference") func parsed() throws {
        #expect(try count(Bin(parsing: "identity ! identity").element.reference) == 1)
    }

    @Test("A pipeline that has played goes with its last reference") func pipelineGoes() async throws {
        let (gone, continuation) = AsyncStream.makeStream(of: Void.self)
        func play() async throws {
            let pipeline = try PipelineDescription.frames(3).build()
            let collector = Collector(try AppSink(#require(pipeline.bin.element(named: "out"))))
            g_object_weak_ref(
                pipeline.bin.element.reference.cast(),
                { data, _ in ClosureBox<AsyncStream<Void>.Continuation>.body(data)?.finish() },
                ClosureBox(continuation).retained())
            try await pipeline.setState(.playing)
            _ = await collector.all()
            // Not stopped: the last reference has to do it.
        }
        try await play()
        for await _ in gone {}
    }

    @Test("Nothing that the library made is left when all of it is gone, and GLib had no warning") func leaks() throws {
        let (run, alive) = try leakScenario("leaks")
        #expect(run.status == 0, "\(run.output)")
        #expect(alive == [])
    }

    @Test("That test would see a leak") func leakControl() throws {
        let (run, alive) = try leakScenario("a leak")
        #expect(run.status != 0)
        // The element and its two pads.
        #expect(alive.count == 3)
        #expect(alive.contains { $0.contains("GstIdentity") })
    }

    @Test("That test would see a warning") func warningControl() throws {
        #expect(try leakScenario("a warning").0.status != 0)
    }

    private func leakScenario(_ scenario: String) throws -> (Subprocess, alive: [String]) {
        let folder = try ScratchFolder()
        let log = folder.path + "/leaks.txt"
        let run = try Subprocess.run(
            scenario: scenario, filter: "GStreamerTests.LeakScenario",
            environment: [
                "GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_FILE": log, "GST_DEBUG_NO_COLOR": "1",
                // Swift's own crash handler would let the process go on after the first.
                "G_DEBUG": "fatal-warnings", "SWIFT_BACKTRACE": "enable=no",
            ])
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return (
            run,
            text.split(separator: "\n").filter { $0.contains("object-alive, type-name=(string)Gst") }.map(String.init)
        )
    }
}
