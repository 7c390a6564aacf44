import GStreamer
import MediaTypes
import Threads
import Workarounds

/// The packets of an MP3 without a container at the times at which a decoder gives their audio.
///
/// mpegaudioparse (1.22) hands on the first frame, which only tells of the others, as one of audio, and gives all that only primes a decoder the time 0:
/// copied as it is, all else would be presented up to a tenth of a second late.
final class PrimedMP3Samples: SampleSource {
    private struct State {
        /// The length of a packet, and what a decoder gives before the audio; nil before the first one.
        var timing: (packet: MediaTime, priming: MediaTime)?
        var count = 0
    }

    private let source: any SampleSource
    private let state = Locked(State())

    init(_ source: any SampleSource) { self.source = source }

    func discardSamples() throws(GStreamerError) { try source.discardSamples() }
    func placed(_ sample: Sample) -> Sample { source.placed(sample) }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        while true {
            let pulled = source.pull(within: limit.left)
            guard case .sample(let sample) = pulled else { return pulled }
            if let timed = state.withLock({ Self.timed(sample, &$0) }) { return .sample(timed) }
        }
    }

    /// - Returns: nil for the frame that only tells of the others.
    private static func timed(_ sample: Sample, _ state: inout State) -> Sample? {
        guard let buffer = sample.buffer, let caps = sample.caps else { return sample }
        guard let timing = state.timing else {
            let told = (try? buffer.withBytes { GaplessMP3.priming(toldBy: $0) }) ?? nil
            let (format, rate) = (caps.first, caps.first?["rate"]?.intValue ?? 44_100)
            let packet = format?["mpegaudioversion"]?.intValue == 1 ? 1152 : 576
            state.timing = (MediaTime(samples: packet, rate: rate), MediaTime(samples: told ?? 0, rate: rate))
            return told == nil ? sample : nil
        }
        let time = state.count * timing.packet - timing.priming
        state.count += 1
        guard time < .zero, let own = sample.movieTime, let begin = buffer.presentationTime else { return sample }
        return sample.with(buffer.retimed(presentationTime: begin, duration: timing.packet), caps).shifted(
            by: time - own)
    }
}
