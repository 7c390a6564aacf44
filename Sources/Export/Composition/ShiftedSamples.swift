import GStreamer
import MediaTypes

/// An inset's audio at the main movie's times, and no longer than that.
struct ShiftedSamples: SampleSource {
    private let samples: any SampleSource
    private let place: InsetPlace
    /// Where the main movie ends, if that is known.
    private let end: MediaTime?

    init(_ samples: any SampleSource, _ place: InsetPlace, until end: MediaTime?) {
        (self.samples, self.place, self.end) = (samples, place, end)
    }

    func pull(within seconds: Double) -> AppSink.Pulled {
        let pulled = samples.pull(within: seconds)
        guard case .sample(let sample) = pulled, let time = sample.movieTime else { return pulled }
        let shown = place.mainTime(of: time)
        if let end, shown >= end { return .end }
        return .sample(sample.shifted(by: shown - time))
    }

    func ignore() throws(GStreamerError) { try samples.ignore() }
}
