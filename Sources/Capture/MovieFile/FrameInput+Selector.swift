import GStreamer

extension FrameInput {
    /// Frames a second in the movie, as the camera promises; `nil` where it does not.
    func recordedRate(_ caps: Caps?) -> Fraction? {
        plan.dropToRate ?? plan.rate ?? caps?.first?["framerate"]?.fractionValue
    }

    /// Decides which of its frames belong to a recording.
    ///
    /// - Parameter reorderedSamples: as of the samples.
    func selector(_ caps: Caps?, reorderedSamples: Int) -> FrameSelector {
        let rate = plan.rate ?? caps?.first?["framerate"]?.fractionValue
        return FrameSelector(
            frameDuration: (rate ?? Fraction(30)).frameDuration, needsKeyFrame: plan.encoding != nil,
            reorderedSamples: reorderedSamples,
            grid: plan.dropToRate?.frameDuration, isPromised: (rate?.doubleValue ?? 0) > 0)
    }
}
