import GStreamer
import Threads

/// Encodes one track: buffers with their times in the movie in, encoded packets out, in a pipeline of its own.
///
/// Nothing here knows of a file, so its packets can go to several, and files can follow each other while it goes on.
final class TrackEncoder: Sendable {
    let pipeline: Pipeline
    let source: AppSource
    /// Where packets leave.
    let encoded: Pad?

    /// Builds the pipeline.
    ///
    /// - Parameters:
    ///   - name: of the track, such as "video" or "audio-1".
    ///   - isLive: whether its frames wait for nobody.
    ///   - onPacket: takes each packet on the streaming thread, and may make it wait; false ends the stream with an error.
    ///   - onEnd: called after the last packet.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(
        _ description: PipelineDescription, name: String, isLive: Bool, onPacket: @escaping @Sendable (Sample) -> Bool,
        onEnd: @escaping @Sendable () -> Void
    ) throws {
        pipeline = try description.build(name: name)
        if isLive { pipeline.raiseThreads(to: .encoding) }
        guard let first = pipeline.bin.element(named: name), let last = pipeline.bin.element(named: "\(name)-encoded")
        else { throw GStreamerError(element: name, message: "the pipeline has no ends") }
        source = try AppSource(first)
        encoded = last.pad("sink")
        try AppSink(last).receive(onSample: onPacket, onEnd: onEnd)
    }
}
