import Foundation

@testable import Capture

/// A microphone whose clock and whose server's habits are known, so that what is made of its stamps can be judged.
struct SimulatedMicrophone: Sendable {
    /// How a sound server scatters its stamps around the truth.
    enum Server: Sendable, CaseIterable {
        /// Wake-ups scatter by 3 ms.
        case pulseAudio
        /// Sound comes in quanta of 1024 samples, and now and then the server is up to 20 ms early or late for a while.
        case pipeWire
        /// As PulseAudio, but the first half second is up to 40 ms late, while the stream settles.
        case slowStart

        /// Seconds within which a flash and its tick must lie.
        var tolerance: Double { self == .pipeWire ? 0.025 : 0.010 }
    }

    var server = Server.pulseAudio
    /// How much faster than promised its clock runs, as a ratio.
    var drift = 0.0
    var frames = 480
    /// Sound from the first to the second of these times (seconds) is lost.
    var lost: ClosedRange<Double>?
    /// What was made from the first to the second of these times is handed out at once at the second.
    var heldUp: ClosedRange<Double>?
    var random = SeededRandom(seed: 1)
    private var count = 0
    private var burst = 0.0

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
        case .pulseAudio: return 0.003 * random.normal()
        case .slowStart: return 0.003 * random.normal() + max(0, 0.04 - (truth - 100) * 0.08)
        case .pipeWire:
            let quantum = 1024.0 / 48_000
            // Half a quantum is the mean delay, which is taken off as a server's latency is.
            let quantised = (truth / quantum).rounded(.up) * quantum - truth - quantum / 2
            // One burst every three seconds, which lasts for a fifth of a second.
            if random.uniform() < 0.05 { burst = 0 }
            if random.uniform() < 1.0 / 300 { burst = 0.04 * random.uniform() - 0.02 }
            return quantised + burst + 0.001 * random.normal()
        }
    }
}

/// The same numbers in every run.
struct SeededRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// From 0 up to 1.
    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }

    /// Of mean 0 and deviation 1.
    mutating func normal() -> Double {
        (-2 * log(max(uniform(), 1e-300))).squareRoot() * cos(2 * Double.pi * uniform())
    }
}
