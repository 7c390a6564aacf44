import GStreamer

/// Where a track's samples are pulled from: the end of a pipeline, or what Swift makes of several such.
protocol SampleSource: Sendable {
    /// Waits for the next sample. Blocks.
    func pull(within seconds: Double) -> AppSink.Pulled
    /// Lets everything that still comes go to waste, so that nobody waits for a reader of it.
    ///
    /// - Throws: ``GStreamerError`` if the element refuses.
    func ignore() throws(GStreamerError)
}

extension AppSink: SampleSource {}
