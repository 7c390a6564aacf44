import GStreamer

/// A track's samples that much later than in the file, or earlier where that is below zero.
struct DelayedSamples: SampleSource {
    let source: any SampleSource
    let delay: MediaTime

    func discardSamples() throws(GStreamerError) { try source.discardSamples() }
    func placed(_ sample: Sample) -> Sample { source.placed(sample) }

    func pull(within limit: Duration) -> AppSink.Pulled {
        let pulled = source.pull(within: limit)
        guard case .sample(let sample) = pulled else { return pulled }
        return .sample(sample.shifted(by: delay))
    }
}
