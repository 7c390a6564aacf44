import GStreamer
import MediaTypes
import Threads

/// One track of all movies that are joined: a track like another. What a movie lacks of audio is filled where the next one begins.
final class JoinedSamples: SampleSource {
    private struct State {
        var index = 0
        var sink: (any SampleSource)?
        var isOpen = false
        /// How much silence the last movie was given, in frames of audio.
        var silence = 0
    }

    private let readers: JoinReaders
    private let kind: SourceStream.Kind
    /// Of all samples: the encoder is told of none but these.
    private let caps: Caps
    /// From the movie's beginning, when the last movie begins, and how long it is.
    private let last: (begin: MediaTime, length: MediaTime)
    private let count: Int
    /// Held while a sample is waited for.
    private let state = Locked(State())
    private let isIgnored = Locked(false)
    private let firstFailure = Locked<(any Error)?>(nil)

    init(
        _ readers: JoinReaders, _ kind: SourceStream.Kind, _ caps: Caps, lengths: [MediaTime]
    ) {
        (self.readers, self.kind, self.caps, count) = (readers, kind, caps, lengths.count)
        last = (lengths.dropLast().reduce(MediaTime.zero) { $0 + $1 }, lengths.last ?? .zero)
    }

    /// What went wrong with opening a movie.
    var failure: (any Error)? { firstFailure.withLock { $0 } }

    func discardSamples() throws(GStreamerError) {
        isIgnored.withLock { $0 = true }
        try readers.discardSamples(kind)
    }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        return state.withLock { state in
            while !isIgnored.withLock({ $0 }), state.index < count {
                do {
                    if !state.isOpen {
                        let source = try readers.source(state.index)
                        state.sink = source.tracks.first { $0.stream.kind == kind }?.sink
                        state.isOpen = true
                    }
                } catch {
                    firstFailure.withLock { $0 = error }
                    return .end
                }
                if let sink = state.sink {
                    switch sink.pull(within: limit.left) {
                    case .sample(let sample): return .sample(sample.buffer.map { sample.with($0, caps) } ?? sample)
                    case .nothing: return .nothing
                    case .end: break
                    }
                } else if state.index == count - 1, kind == .audio, let silence = silence(&state) {
                    return .sample(silence)
                }
                state = State(index: state.index + 1)
            }
            return .end
        }
    }

    /// The next of a last movie without audio, a second at most; nil once that is as long as its frames.
    private func silence(_ state: inout State) -> Sample? {
        let format = caps.first
        let rate = max(1, format?["rate"]?.intValue ?? 48000)
        let bits = RawAudio.bits(format?["format"]?.stringValue ?? "")
        let bytes = max(1, (format?["channels"]?.intValue ?? 2) * bits / 8)
        let count = min(rate, Int((last.length.seconds * Double(rate)).rounded()) - state.silence)
        guard count > 0 else { return nil }
        defer { state.silence += count }
        let begin = last.begin + MediaTime(samples: state.silence, rate: rate)
        return [UInt8](repeating: 0, count: count * bytes).withUnsafeBytes {
            Sample(
                Buffer(copying: $0, presentationTime: begin, duration: MediaTime(samples: count, rate: rate)), caps)
        }
    }
}
