import GStreamer
import MediaTypes
import Threads

/// The audio of several movies as one track.
final class MixedSamples: SampleSource {
    /// One movie's.
    struct Part: Sendable {
        let samples: any SampleSource
        let place: InsetPlace
        /// By how much its decoder stamps it too early; known once something has come.
        let delay: @Sendable () -> MediaTime
    }

    private let parts: [Part]
    /// Where the main movie ends, if that is known.
    private let end: MediaTime?
    private let mix: Locked<AudioMix>

    init(_ parts: [Part], until end: MediaTime?) {
        (self.parts, self.end, mix) = (parts, end, Locked(AudioMix(count: parts.count)))
    }

    /// Forgets what was pulled before the movies were sent to another place.
    func forget() { mix.withLock { $0 = AudioMix(count: parts.count) } }

    func ignore() throws(GStreamerError) { for part in parts { try part.samples.ignore() } }

    /// Only one thread pulls.
    func pull(within seconds: Double) -> AppSink.Pulled {
        let deadline = ContinuousClock.now + .seconds(seconds)
        return mix.withLock { mix in
            while let index = mix.needed {
                switch parts[index].samples.pull(within: max(0, (deadline - .now) / .seconds(1))) {
                case .sample(let sample):
                    guard let time = sample.movieTime, let samples = sample.buffer?.floats else { continue }
                    mix.append(samples, of: index, at: parts[index].place.mainTime(of: time + parts[index].delay()))
                case .end: mix.end(index)
                case .nothing: return .nothing
                }
            }
            guard let (samples, position) = mix.next() else { return .end }
            let begin = MediaTime(samples: position, rate: AudioMix.rate)
            if let end, begin >= end { return .end }
            let duration = MediaTime(samples: samples.count / AudioMix.channels, rate: AudioMix.rate)
            let buffer = samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: begin, duration: duration) }
            return .sample(Sample(buffer, Self.caps))
        }
    }

    private static let caps = Caps(
        "audio/x-raw",
        [
            "format": .string("F32LE"), "layout": .string("interleaved"), "rate": .int(Int64(AudioMix.rate)),
            "channels": .int(Int64(AudioMix.channels)),
        ])
}

extension Buffer {
    /// Its bytes as samples; `nil` where they cannot be read.
    fileprivate var floats: [Float]? { try? withBytes { Array($0.bindMemory(to: Float.self)) } }
}
