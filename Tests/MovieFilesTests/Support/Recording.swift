import Foundation
import TestSupport
import Testing

/// A recording as GStreamer's muxer streams it: real codecs, in fragments, made once per run.
struct Recording: Sendable, CustomTestStringConvertible {
    let name: String
    /// `mov` or `mp4`.
    let ending: String
    /// What the writer has to be told about the audio encoder's delay, in samples.
    let audioPriming: Int
    /// The delay of the audio encoder, in samples.
    var delay: Int { name.hasSuffix("opus") ? 312 : audioPriming }
    let pipeline: String

    var testDescription: String { name }

    /// The bytes of the stream.
    var bytes: [UInt8] {
        get async throws { [UInt8](try Data(contentsOf: try await file)) }
    }

    /// The stream as a file.
    var file: URL {
        get async throws {
            try await Self.made.value(name) {
                let url = Scratch.directory.appending(path: "\(name).fragments.\(ending)")
                // Through a pipe the muxer cannot seek back, which the recorder forbids it too.
                try await Tool.shell("gst-launch-1.0 -q -e \(pipeline) | cat > \(url.path)")
                return url
            }
        }
    }

    private static let made = Made<String, URL>()
}

extension Recording {
    private static func mux(_ muxer: String) -> String {
        "\(muxer) name=m fragment-duration=500 fragment-mode=dash-or-mss ! fdsink fd=1"
    }

    private static func frame(frames: Int, format: String, _ options: String = "") -> String {
        "videotestsrc num-buffers=\(frames) pattern=ball ! videoconvert dither=none ! "
            + "video/x-raw,format=\(format),width=320,height=240,framerate=25/1\(options)"
    }

    private static func audio(buffers: Int, rate: Int, channels: Int = 2, format: String = "S16LE") -> String {
        "audiotestsrc num-buffers=\(buffers) samplesperbuffer=1024 ! audioconvert ! "
            + "audio/x-raw,rate=\(rate),channels=\(channels),format=\(format),layout=interleaved"
    }

    /// Reordered frames, and audio whose rate is no multiple of the frame's.
    static let h264 = Recording(
        name: "h264-aac", ending: "mp4", audioPriming: 1024,
        pipeline: frame(frames: 75, format: "I420") + " ! x264enc bframes=2 b-adapt=false key-int-max=25 threads=1 "
            + "! h264parse ! video/x-h264,stream-format=avc ! " + mux("mp4mux") + " "
            + audio(buffers: 130, rate: 44_100, format: "F32LE")
            + " ! avenc_aac ! m.")

    static let hevc = Recording(
        name: "hevc-aac", ending: "mov", audioPriming: 1024,
        pipeline: frame(frames: 60, format: "I420") + " ! x265enc speed-preset=ultrafast key-int-max=25 "
            + "! h265parse ! video/x-h265,stream-format=hvc1 ! " + mux("qtmux") + " "
            + audio(buffers: 112, rate: 48_000, format: "F32LE") + " ! avenc_aac ! m.")

    static let proRes = Recording(
        name: "prores-pcm", ending: "mov", audioPriming: 0,
        pipeline: frame(frames: 50, format: "I422_10LE")
            + " ! avenc_prores_ks pass=quant quantizer=1 profile=3 ! " + mux("qtmux") + " "
            + audio(buffers: 96, rate: 48_000) + " ! m.")

    static let av1 = Recording(
        name: "av1-opus", ending: "mp4", audioPriming: 0,
        pipeline: frame(frames: 50, format: "I420")
            + " ! av1enc cpu-used=10 usage-profile=realtime keyframe-max-dist=25 ! av1parse ! " + mux("mp4mux") + " "
            + audio(buffers: 96, rate: 48_000) + " ! opusenc ! m.")

    /// The four that stand for all.
    static let all = [h264, hevc, proRes, av1]
}
