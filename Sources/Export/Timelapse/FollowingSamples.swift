import GStreamer
import MediaTypes

/// The audio of a timelapse, whose time begins with the first frame: a broadcast's audio may begin half a second before that.
struct FollowingSamples: SampleSource {
    let samples: any SampleSource
    /// When the first frame is shown in the audio's time; known once it has come, which is fetched first.
    let begin: @Sendable () -> MediaTime

    func discardSamples() throws(GStreamerError) { try samples.discardSamples() }

    func placed(_ sample: Sample) -> Sample { samples.placed(sample) }

    func pull(within limit: Duration) -> AppSink.Pulled {
        let pulled = samples.pull(within: limit)
        guard case .sample(let sample) = pulled else { return pulled }
        let begin = begin()
        return .sample(begin == .zero ? sample : sample.shifted(by: -begin))
    }
}
