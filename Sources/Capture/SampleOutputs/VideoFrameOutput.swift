import Encoding
import Errors
import GStreamer
import Logging
public import MediaTypes
import Threads

/// Hands a session's frames to your program while they are recorded or not: upright, in one pixel format, the newest one whenever you ask
/// for the next. AVFoundation's `AVCaptureVideoDataOutput`.
///
/// Frames that come while you are busy with one are discarded, so a recording beside it is never held up.
public final class VideoFrameOutput: Sendable {
    private let size: VideoSize?
    private let streams = SampleStreams<VideoFrame>(keeping: 1)
    private let attached = Locked<(own: OwnSession, branch: FrameBranch?)>((OwnSession(), nil))

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    ///
    /// - Parameter size: in pixels, into which each frame is fitted, with black borders where its shape is another; as they come where left out.
    public init(size: VideoSize? = nil) { self.size = size }

    deinit { detach() }

    /// The frames from now on, or from when the output is added to a session; the newest one, if several have come since the last. Ends
    /// with its reader, when the output is removed, or where frames cannot be converted; then the output can be added anew.
    public var frames: AsyncStream<VideoFrame> { streams.stream }

    func attach(to session: CaptureSession) throws {
        if let size, !(1...65535).contains(size.width) || !(1...65535).contains(size.height) {
            throw RushesError(
                .invalidSettings, "Frames of \(size) cannot be had; each side has from 1 to 65535 pixels.")
        }
        let new = try attached.withLock { attached throws(RushesError) -> FrameBranch? in
            guard try attached.own.set(session) else { return nil }
            let branch = FrameBranch(session.frames) { [size, streams] caps, orientation throws(GStreamerError) in
                try Self.pipeline(caps, orientation, size) { streams.send($0) }
            } onEnd: { [weak self] branch, error in
                log.warning("frames are no longer handed out", metadata: ["error": "\(error)"])
                self?.detach(from: branch)
            }
            attached.branch = branch
            return branch
        }
        new?.begin()
    }

    func detach() { detach(from: nil) }

    /// - Parameter failed: the branch that is over; where the output has been added anew since, nothing follows from that.
    private func detach(from failed: FrameBranch?) {
        let (branch, isOver) = attached.withLock { attached -> (FrameBranch?, Bool) in
            guard failed == nil || attached.branch === failed else { return (nil, false) }
            defer { attached = (OwnSession(), nil) }
            return (attached.branch, true)
        }
        guard isOver else { return }
        branch?.end()
        streams.finish()
    }

    private static func pipeline(
        _ caps: Caps, _ orientation: MovieOrientation, _ size: VideoSize?,
        _ send: @escaping @Sendable (VideoFrame) -> Void
    ) throws(GStreamerError) -> Pipeline {
        var fields: [String: FieldValue] = ["format": "BGRA", "pixel-aspect-ratio": .fraction(Fraction(1))]
        if let size { (fields["width"], fields["height"]) = (.int(Int64(size.width)), .int(Int64(size.height))) }
        let nodes: [PipelineDescription.Node] =
            [.make("appsrc", name: FrameBranch.source, ["caps": .caps(caps), "format": "time", "is-live": true])]
            + (orientation == .upright ? [] : [.make("videoconvert")] + orientation.flips) + [
                .make("videoconvertscale"), .caps(Caps("video/x-raw", fields)),
                .make("appsink", name: "out", ["sync": false, "async": false, "enable-last-sample": false]),
            ]
        let pipeline = try PipelineDescription([nodes]).build(name: "frame-output")
        guard let out = pipeline.bin.element(named: "out") else {
            throw GStreamerError(element: "frame-output", message: "the pipeline has no end")
        }
        try AppSink(out).receive(
            onSample: { sample in
                if let frame = VideoFrame(sample) { send(frame) }
                return true
            }, onEnd: {})
        return pipeline
    }
}

/// One frame of a ``VideoFrameOutput``, in memory of its own.
public struct VideoFrame: Sendable {
    /// When it was taken, in the session's running time.
    public let time: MediaTime
    /// In pixels.
    public let size: VideoSize
    private let buffer: Buffer

    init?(_ sample: Sample) {
        guard let buffer = sample.buffer, let time = buffer.presentationTime, let caps = sample.caps?.first,
            let width = caps["width"]?.intValue, let height = caps["height"]?.intValue
        else { return nil }
        (self.time, self.size, self.buffer) = (time, VideoSize(Int(width), Int(height)), buffer)
    }

    /// Its pixels: rows from top to bottom without gaps, four bytes each: blue, green, red and one that is unused. Valid within the closure.
    ///
    /// - Throws: what the closure throws; ``RushesError`` if there is no memory to read them.
    public func withPixels<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        let bytes: Result<Value, any Error>
        do { bytes = try buffer.withBytes { pixels in Result { try body(pixels) } } } catch {
            throw RushesError.published(error, as: .systemLimit)
        }
        return try bytes.get()
    }
}

extension VideoFrameOutput: CaptureOutput, AttachableOutput {}
