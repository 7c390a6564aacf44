import GStreamer
import MediaTypes
import Threads

/// The audio of several movies as one track, or of one at the pace of another's clock.
final class MixedSamples: SampleSource {
    /// One movie's.
    struct Part: Sendable {
        let samples: any SampleSource
        let place: InsetPlace
        /// How long the movie lasts, if that is known.
        let duration: MediaTime?
        /// By how much its decoder stamps it too early; known once something has come.
        let delay: @Sendable () -> MediaTime
    }

    private let parts: [Part]
    /// Where the main movie ends, if that is known.
    private let end: MediaTime?
    private struct State {
        var mix: MovieAudioMix
        /// Where a movie's clock is not the main one's.
        var paced: [PacedSamples?]
        /// Which of a movie's times are believed; nil before the first.
        var sanitizers: [TimestampSanitizer?]
        /// Where each movie's last sample ends in its own time.
        var ends: [MediaTime]

        init(_ parts: [Part]) {
            mix = MovieAudioMix(count: parts.count)
            sanitizers = parts.map { _ in nil }
            ends = parts.map { _ in .zero }
            paced = parts.map {
                $0.place.scale == 1
                    ? nil
                    : PacedSamples(scale: $0.place.scale, channels: MovieAudioMix.channels, rate: MovieAudioMix.rate)
            }
        }

        /// When samples of a movie begin in its own time; behind those before them where that is not believed.
        mutating func time(_ told: MediaTime, of index: Int, _ part: Part, lasting frames: Int) -> MediaTime {
            var sanitizer = sanitizers[index] ?? TimestampSanitizer(begin: told, duration: part.duration)
            let time = sanitizer.validated(told) ?? ends[index]
            (sanitizers[index], ends[index]) = (sanitizer, time + MediaTime(samples: frames, rate: MovieAudioMix.rate))
            return time
        }

        mutating func append(_ samples: [Float], of index: Int, at time: MediaTime) throws {
            guard let paced = paced[index] else { return mix.append(samples, of: index, at: time) }
            for piece in try paced.take(samples, at: time) { mix.append(piece.samples, of: index, at: piece.time) }
        }

        mutating func end(_ index: Int) {
            for piece in paced[index]?.finish() ?? [] { mix.append(piece.samples, of: index, at: piece.time) }
            mix.end(index)
        }
    }

    private let state: Locked<State>

    init(_ parts: [Part], until end: MediaTime?) {
        (self.parts, self.end, state) = (parts, end, Locked(State(parts)))
    }

    /// Forgets what was pulled before the movies were sent to another place.
    func forget() { state.withLock { $0 = State(parts) } }

    func discardSamples() throws(GStreamerError) { for part in parts { try part.samples.discardSamples() } }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        return state.withLock { state in
            while let index = state.mix.needed {
                switch parts[index].samples.pull(within: limit.left) {
                case .sample(let sample):
                    guard let told = sample.movieTime, let samples = sample.buffer?.floats else { continue }
                    let (part, frames) = (parts[index], samples.count / MovieAudioMix.channels)
                    let time = state.time(told, of: index, part, lasting: frames)
                    // There is a resampler for each pace that a place can have.
                    try? state.append(samples, of: index, at: part.place.mainTime(of: time + part.delay()))
                case .end: state.end(index)
                case .nothing: return .nothing
                }
            }
            guard let (samples, position) = state.mix.next() else { return .end }
            let begin = MediaTime(samples: position, rate: MovieAudioMix.rate)
            if let end, begin >= end { return .end }
            let duration = MediaTime(samples: samples.count / MovieAudioMix.channels, rate: MovieAudioMix.rate)
            let buffer = samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: begin, duration: duration) }
            return .sample(Sample(buffer, Self.caps))
        }
    }

    private static let caps = Caps(
        "audio/x-raw",
        [
            "format": .string("F32LE"), "layout": .string("interleaved"), "rate": .int(Int64(MovieAudioMix.rate)),
            "channels": .int(Int64(MovieAudioMix.channels)),
        ])
}

extension Buffer {
    /// Its bytes as samples; `nil` where they cannot be read.
    fileprivate var floats: [Float]? { try? withBytes { Array($0.bindMemory(to: Float.self)) } }
}
