import Foundation
import TestSupport
import Testing

@testable import CaptureAudio

/// What a timeline did with a simulated microphone: how far each buffer's audio lies from where it belongs.
struct TimelineRun {
    struct Placed {
        /// Seconds since the microphone began.
        var time: Double
        /// Seconds by which the row is late against the truth.
        var error: Double
        var ratio: Double
    }
    var placed: [Placed] = []
    var gaps: [Int] = []
    var skips: [Int] = []
    var drift = 0.0

    init(_ microphone: SimulatedMicrophone, seconds: Double) {
        var microphone = microphone
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: false)
        var written = 0.0
        var waiting: [Double] = []
        var time = 0.0
        while time < seconds {
            let buffer = microphone.next()
            time = buffer.truth - 100
            let action = timeline.receive(frames: microphone.frames, stamp: buffer.stamp, written: written)
            waiting.append(buffer.truth)
            var ratio = 1.0
            switch action {
            case .hold: continue
            case .write(let gap, let inputPerOutput):
                if gap > 0 { gaps.append(gap) }
                written += Double(gap)
                ratio = inputPerOutput
            case .skip(let frames, let inputPerOutput):
                skips.append(frames)
                written -= Double(frames) / inputPerOutput
                ratio = inputPerOutput
            }
            for truth in waiting {
                placed.append(
                    Placed(time: truth - 100, error: (timeline.start ?? 0) + written / 48_000 - truth, ratio: ratio))
                written += Double(microphone.frames) / ratio
            }
            waiting = []
        }
        drift = timeline.drift
    }

    /// The largest error in a span of time, in seconds.
    func worst(from: Double, to: Double = .infinity) -> Double {
        placed.filter { $0.time >= from && $0.time < to }.map { abs($0.error) }.max() ?? .infinity
    }
    /// How much the pitch changed, as a ratio.
    func ratios(from: Double) -> (lowest: Double, highest: Double) {
        let ratios = placed.filter { $0.time >= from }.map(\.ratio)
        return (ratios.min() ?? 0, ratios.max() ?? 0)
    }
}

@Suite struct AudioTimelineTests {
    static let drifts = [0, 1e-4, -1e-4, 0.005, -0.005]

    @Test(arguments: SimulatedMicrophone.Server.allCases, drifts)
    func `audio lies where it belongs from the first second to the last`(
        server: SimulatedMicrophone.Server, drift: Double
    ) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var microphone = SimulatedMicrophone(server, drift: drift)
            microphone.random = SeededRandom(seed: seed)
            let run = TimelineRun(microphone, seconds: 60)
            // A clock that is far off is found out in the first seconds.
            let early = abs(drift) > 1e-3 ? 1.5 : 3
            #expect(run.worst(from: 0, to: 10) < server.tolerance / early, "in the first seconds, seed \(seed)")
            #expect(run.worst(from: 10) < server.tolerance / 4, "afterwards, seed \(seed)")
            #expect(run.gaps.isEmpty && run.skips.isEmpty)
            // Two thousandths are a thirtieth of a semitone.
            let ratios = run.ratios(from: 20)
            #expect(ratios.highest / ratios.lowest < 1.002, "the pitch is steady")
            #expect(abs(run.drift - drift) < 1e-4)
        }
    }

    @Test(arguments: [SimulatedMicrophone.Server.pulseAudio, .busy], [2e-5, 5e-5, 9e-5, -2e-4])
    func `two microphones whose clocks are off as crystals are lie together within a millisecond or so`(
        server: SimulatedMicrophone.Server, drift: Double
    ) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let runs = [drift, -drift].map { drift in
                var microphone = SimulatedMicrophone(server, drift: drift)
                microphone.random = SeededRandom(seed: seed)
                return TimelineRun(microphone, seconds: 60)
            }
            func apart(from begin: Double) -> Double {
                runs.reduce(0) { $0 + $1.worst(from: begin) }
            }
            #expect(apart(from: 0) < 0.0012 && apart(from: 10) < 0.000_7 && apart(from: 25) < 0.000_2, "seed \(seed)")
        }
    }

    @Test(arguments: [480, 1024], [0.005, -0.005, 0.0004, -0.0004])
    func `where stamps are prompt, a clock that is off is followed from the first samples on`(
        frames: Int, drift: Double
    ) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var microphone = SimulatedMicrophone(.pulseAudio, drift: drift, frames: frames)
            microphone.random = SeededRandom(seed: seed)
            let run = TimelineRun(microphone, seconds: 30)
            #expect(run.worst(from: 0) < 0.0005, "seed \(seed)")
            // The pitch is not bent on the way: a hundredth of a semitone is 0.058 %.
            let ratios = run.ratios(from: 0)
            #expect(max(1 + drift - ratios.lowest, ratios.highest - 1 - drift) < 0.00045, "seed \(seed)")
        }
    }

    @Test(arguments: [0.005, -0.005]) func `on a busy machine a clock that is far off is found in the first second too`(
        drift: Double
    ) {
        let worst = (1...20 as ClosedRange<UInt64>).map { seed in
            var microphone = SimulatedMicrophone(.busy, drift: drift)
            microphone.random = SeededRandom(seed: seed)
            return TimelineRun(microphone, seconds: 20).worst(from: 0)
        }
        #expect(worst.allSatisfy { $0 < 0.003 } && worst.count { $0 < 0.001 } > 10, "\(worst)")
    }

    @Test(arguments: [SimulatedMicrophone.Server.pulseAudio, .pipeWire], [-1e-4, 0.005])
    func `an hour does not carry audio away from where it belongs`(server: SimulatedMicrophone.Server, drift: Double) {
        let run = TimelineRun(SimulatedMicrophone(server, drift: drift, frames: 1024), seconds: 3600)
        #expect(run.worst(from: 0) < server.tolerance)
        #expect(run.worst(from: 3540) < server.tolerance)
        #expect(run.gaps.isEmpty && run.skips.isEmpty)
    }

    @Test(arguments: [SimulatedMicrophone.Server.pulseAudio, .pipeWire], [0, 0.005])
    func `two seconds that are lost become two seconds of gap`(server: SimulatedMicrophone.Server, drift: Double) {
        var microphone = SimulatedMicrophone(server, drift: drift)
        microphone.lost = 10...12
        let run = TimelineRun(microphone, seconds: 30)
        #expect(run.gaps.count == 1)
        #expect(abs(Double(run.gaps.first ?? 0) / 48_000 - 2) < 0.03)
        #expect(run.worst(from: 12) < server.tolerance)
    }

    @Test(arguments: [SimulatedMicrophone.Server.pulseAudio, .pipeWire])
    func `audio that a server kept for two seconds and hands out at once stays where it belongs`(
        server: SimulatedMicrophone.Server
    ) {
        var microphone = SimulatedMicrophone(server)
        microphone.heldUp = 10...12
        let run = TimelineRun(microphone, seconds: 30)
        #expect(run.gaps.isEmpty && run.skips.isEmpty)
        #expect(run.worst(from: 0) < server.tolerance)
    }

    @Test func `on a machine that is busy for seconds the audio of a true microphone stays where it belongs`() throws {
        let late = try String(contentsOfFile: Checkout.media("pulseaudio-busy.stamps"), encoding: .utf8)
            .split(separator: "\n").compactMap { Double($0) }.map { $0 / 1e6 }
        try #require(late.count == 4000)
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: false)
        var written = 0.0
        var held = 0
        var errors: [Double] = []
        for (buffer, late) in late.enumerated() {
            let truth = Double(buffer) * 0.01
            held += 480
            guard case .write(0, let ratio) = timeline.receive(frames: 480, stamp: truth + late, written: written)
            else {
                continue
            }
            if let start = timeline.start {
                errors.append(start + written / 48_000 - (truth + 0.01 - Double(held) / 48_000))
            }
            written += Double(held) / ratio
            held = 0
        }
        #expect(held == 0 && errors.count > 2000, "nothing was left out, and nothing waits")
        #expect((errors.map(abs).max() ?? 1) < 0.002, "at most 2 ms off where single stamps are 150 ms late")
    }

    @Test(arguments: [0.02, 0.04]) func `a little audio that is lost is found out within two seconds`(lost: Double) {
        var microphone = SimulatedMicrophone()
        microphone.lost = 10...(10 + lost)
        let run = TimelineRun(microphone, seconds: 30)
        #expect(run.gaps.count == 1 && run.skips.isEmpty)
        #expect(run.worst(from: 12.5) < 0.005)
    }

    @Test func `a quarter of a second that comes twice is left out`() {
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: false)
        var written = 0.0
        var skipped = 0
        for buffer in 0..<2000 {
            // After ten seconds the server goes back by a quarter of a second, and stays there.
            let stamp = Double(buffer) * 0.01 - (buffer >= 1000 ? 0.25 : 0)
            switch timeline.receive(frames: 480, stamp: stamp, written: written) {
            case .hold: break
            case .write(let gap, _): written = Double(buffer + 1) * 480 + Double(gap - skipped)
            case .skip(let frames, _):
                skipped += frames
                written = Double(buffer + 1) * 480 - Double(skipped)
            }
        }
        #expect(abs(skipped - 12_000) < 100)
    }

    @Test func `stamps that come twice are scatter and nothing else`() {
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: false)
        var written = 0.0
        for buffer in 0..<3000 {
            let stamp = Double(buffer / 2 * 2) * 0.01
            switch timeline.receive(frames: 480, stamp: stamp, written: written) {
            case .hold: break
            case .write(let gap, let ratio):
                #expect(gap == 0)
                #expect(abs(ratio - 1) < 0.002)
                written = Double(buffer + 1) * 480
            case .skip: Issue.record("nothing is left out")
            }
        }
    }

    @Test func `stamps that stand still do not make it hold audio for ever`() {
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: false)
        var held = 0
        var longest = 0
        for buffer in 0..<6000 {
            let action = timeline.receive(
                frames: 480, stamp: min(5, Double(buffer) * 0.01), written: Double(buffer) * 480)
            held = action == .hold ? held + 1 : 0
            longest = max(longest, held)
        }
        #expect(longest <= 1010)
    }

    @Test func `the exact stamps of a test source are taken at their word`() {
        var timeline = AudioTimeline(rate: 48_000, isOnSystemClock: true)
        #expect(timeline.receive(frames: 480, stamp: 5, written: 0) == .write(gap: 0, inputPerOutput: 1))
        #expect(timeline.receive(frames: 480, stamp: 5.01, written: 480) == .write(gap: 0, inputPerOutput: 1))
        #expect(timeline.start == 5)
        // Half a second is missing.
        #expect(timeline.receive(frames: 480, stamp: 5.52, written: 960) == .write(gap: 24_000, inputPerOutput: 1))
    }
}
