import Capture
import Errors
import GStreamer
import Testing

@Suite struct TestSourcePlanTests {
    @Test func `the test pattern arrives live, at the time of the session's clock, in the size and rate asked for`()
        async throws
    {
        let request = FormatRequest(size: VideoSize(320, 240), rate: Fraction(25))
        let plan = try VideoSourcePlan(.test(TestPattern(pattern: "ball")), request)
        let run = try await PlanRun(plan.nodes, count: 10)
        #expect(run.arrivals.count == 10)
        #expect(run.caps?.first?["width"] == .int(320))
        #expect(run.caps?.first?["framerate"]?.fractionValue == Fraction(25))
        // A busy machine hands some of them over late; by another clock all would be.
        let distances = run.arrivals.map { ($0.arrival - $0.time).length }
        #expect((distances.min() ?? .second) < 200 * .millisecond, "\(distances)")
        #expect(run.arrivals[9].time - run.arrivals[0].time == 9 * 40 * .millisecond)
    }

    @Test(arguments: [1, 2, 6]) func `the test tone arrives as interleaved floats at 48 kHz`(channels: Int) async throws
    {
        let plan = try AudioSourcePlan(.test(TestTone(frequency: 1000)), channels: channels)
        let run = try await PlanRun(plan.nodes, count: 20)
        #expect(run.caps?.first?["format"]?.stringValue == "F32LE")
        #expect(run.caps?.first?["channels"] == .int(Int64(channels)))
        #expect(run.arrivals.allSatisfy { $0.bytes == 2048 * 4 * channels })
    }

    @Test func `a pattern that does not exist is refused by name`() {
        let error = #expect(throws: RushesError.self) { try VideoSourcePlan(.test(TestPattern(pattern: "no-such"))) }
        #expect(error?.code == .badSource)
        #expect(error?.description.hasPrefix("test:pattern=no-such: no such pattern") == true)
    }
}
