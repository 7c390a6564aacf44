import CGStreamer
import TestSupport
import Testing

@testable import GStreamer

/// What GStreamer's library and base classes do, which no program of theirs shows.
extension Workaround {
    /// How many key frames half a second has that asks for one in its middle.
    ///
    /// - Parameter early: whether it is asked for before the encoder has handed out anything.
    private static func keyFrames(askedFor early: Bool) async throws -> Int {
        let caps = Caps(
            "video/x-raw", ["format": "I420", "width": 64, "height": 64, "framerate": .fraction(Fraction(10))])
        let pipeline = try PipelineDescription([
            [
                .make("videotestsrc", ["num-buffers": 6]), .caps(caps),
                .make("x264enc", name: "encoder", ["key-int-max": 100, "tune": "zerolatency"]),
                .make("appsink", name: "out", ["sync": false]),
            ]
        ]).build()
        let sink = try #require(pipeline.bin.element(named: "out"))
        let collector = try Collector(AppSink(sink))
        let end = try #require(sink.pad("sink"))
        let watched = early ? pipeline.bin.element(named: "encoder")?.pad("sink") : end
        _ = try #require(watched).addBufferProbe { _ in
            end.requestKeyFrame(at: 300 * .millisecond)
            return .remove
        }
        try await pipeline.setState(.playing)
        let samples = await collector.all()
        await pipeline.stop()
        return samples.count { $0.buffer?.isKeyFrame == true }
    }

    static let library = [
        Workaround("gst_audio_resampler, equal rates: AudioResampler") { _ in
            GStreamerLibrary.start()
            let resampler = try #require(rushes_resampler_new(1, 48_000, 48_000))
            defer { gst_audio_resampler_free(resampler) }
            var input = [Float](repeating: 0, count: 1000)
            input[300] = 1
            var output = [Float](repeating: 0, count: Int(gst_audio_resampler_get_out_frames(resampler, 1000)))
            let count = gsize(output.count)
            input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var source: gpointer? = UnsafeMutableRawPointer(input.baseAddress)
                    var target: gpointer? = UnsafeMutableRawPointer(output.baseAddress)
                    gst_audio_resampler_resample(resampler, &source, 1000, &target, count)
                }
            }
            let loudest = try #require(output.indices.max { output[$0] < output[$1] })
            return output[loudest] > 0.5 && loudest != 300
        },
        Workaround("GstVideoEncoder, a key frame that is asked for before the first frame: VideoTrackEncoder+Exchange")
        {
            _ in
            try #require(try await keyFrames(askedFor: false) == 2)
            return try await keyFrames(askedFor: true) == 1
        },
    ]
}
