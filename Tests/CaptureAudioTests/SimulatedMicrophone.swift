import Foundation
import TestSupport

@testable import CaptureAudio

/// A microphone whose clock and whose server's habits are known, so that what is made of its stamps can be judged.
struct SimulatedMicrophone: Sendable {
    /// How late a sound server stamps. None stamps early.
    enum Server: Sendable, CaseIterable {
        /// Most stamps are prompt; some are late by 3 ms and more.
        case pulseAudio
        /// Audio comes in quanta of 1024 samples, and now and then the server is up to 20 ms late for a while.
        case pipeWire
        /// As PulseAudio, but the first half second is up to 40 ms late, while the stream settles.
        case slowStart
        /// As PulseAudio on a machine where most stamps are late, by 5 ms in the mean, for seconds on end.
        case busy

        /// Seconds within which a flash and its tick must lie.
        var tolerance: Double { self == .pipeWire ? 0.025 : 0.010 }
    }

    var server = Server.pulseAudio
    /// How much faster than promised its clock runs, as a ratio.
    var drift = 0.0
    var frames = 480
    /// Audio from the first to the second of these times (seconds) is lost.
    var lost: ClosedRange<Double>?
    /// What was made from the first to the second of these times is handed out at once at the second.
    var heldUp: ClosedRange<Double>?
    var random = SeededRandom(seed: 1)
    private var count = 0
    private var burst = (late: 0.0, end: 0.0)

    init(_ server: Server = .pulseAudio, drift: Double = 0, frames: Int = 480) {
        (self.server, self.drift, self.frames) = (server, drift, frames)
    }

    struct Buffer {
        /// When its first sample was really taken, and when the server says it was; in seconds.
        var truth: Double
        var stamp: Double
    }

    mutating func next() -> Buffer {
        let rate = 48_000 * (1 + drift)
        var truth: Double
        repeat {
            truth = 100 + Double(count * frames) / rate
            count += 1
        } while lost.map { $0.contains(truth - 100) } ?? false
        var stamp = truth + scatter(truth)
        if let heldUp, heldUp.contains(truth - 100) { stamp = 100 + heldUp.upperBound }
        return Buffer(truth: truth, stamp: stamp)
    }

    private mutating func scatter(_ truth: Double) -> Double {
        switch server {
        case .pulseAudio: return prompt()
        case .slowStart: return prompt() + max(0, 0.04 - (truth - 100) * 0.08)
        case .busy:
            let isBusy = Int(truth) % 8 >= 4
            return isBusy && random.uniform() < 0.9 ? 0.005 * random.exponential() : prompt()
        case .pipeWire:
            // The device drives the graph, so quanta are counted by its own clock.
            let sample = Double((count - 1) * frames)
            let quantised = ((sample / 1024).rounded(.up) * 1024 - sample) / (48_000 * (1 + drift))
            // One burst every few seconds, which lasts for up to half a second.
            if truth >= burst.end { burst.late = 0 }
            if random.uniform() < 1.0 / 300 {
                burst = (0.02 * random.uniform(), truth + 0.5 * random.uniform())
            }
            return quantised + burst.late + 0.0005 * random.exponential()
        }
    }

    /// As measured on a machine with nothing else to do: a tenth of a millisecond, at times some milliseconds.
    private mutating func prompt() -> Double {
        (random.uniform() < 0.05 ? 0.003 : 0.0001) * random.exponential()
    }
}
