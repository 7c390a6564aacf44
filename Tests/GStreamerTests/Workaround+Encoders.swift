import Foundation
import TestSupport
import Testing

/// What encoders do, and muxers with what some of them gave.
extension Workaround {
    private static let frame = "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=128,height=96,framerate=30/1"

    private static func errorsOfX265(primaries: Int) async throws -> String {
        try await errors(of: "\(frame),colorimetry=2:3:5:\(primaries) ! x265enc log-level=none ! fakesink")
    }

    /// Whether a demuxer hands RealVideo on with what its decoder needs.
    private static func isDescribed(_ path: String, _ demuxer: String) async throws -> Bool {
        let told = try await launch("-v filesrc location=\(path) ! \(demuxer) ! fakesink").text
        try #require(told.contains("caps = video/x-pn-realvideo"))
        return told.contains("codec_data")
    }

    static let encoding = [
        Workaround("x265enc, when the only frame of a movie is decoded: X265Times") { _ in
            // New memory is filled, as what lies in it is not the same each time.
            let filled = ["MALLOC_PERTURB_": "90"]
            let line = try #require(
                try await buffers(of: "\(frame) ! x265enc log-level=none", environment: filled).first)
            let hours = try #require(line.firstMatch(of: /dts: (\d+):/))
            // Frames begin after a thousand.
            return line.contains("pts: 1000:00:00.000000000") && !["999", "1000"].contains(hours.1)
        },
        Workaround("x265enc, the primaries of EBU 3213: ExportPlanner+Colors") { _ in
            try #require(try await errorsOfX265(primaries: 1).isEmpty)
            return try await errorsOfX265(primaries: 12).contains("Can not initialize x265 encoder")
        },
        Workaround("vp9enc, what libvpx still has at the end: VPXDrain") { _ in
            let noise = "videotestsrc pattern=snow num-buffers=30 ! video/x-raw,format=I420,width=64,height=64"
            let quality = "deadline=1000000 cpu-used=4 lag-in-frames=25 target-bitrate=20000000 max-quantizer=4"
            return (1..<30).contains(try await buffers(of: "\(noise) ! vp9enc \(quality)").count)
        },
        Workaround("lamemp3enc, how long its last frames last: MP3End") { _ in
            let second = "audiotestsrc num-buffers=1 samplesperbuffer=48000 ! audio/x-raw,rate=48000,channels=1"
            let frames = try await buffers(of: "\(second) ! audioconvert ! lamemp3enc")
            try #require(frames.count > 41)
            return frames.allSatisfy { $0.contains("duration: 0:00:00.024000000") }
        },
        Workaround("matroskamux, texts: MatroskaMuxerTags") {
            let line = "\(frame) ! jpegenc ! taginject tags=title=\"Größe\",comment=Twice ! matroskamux"
            let movie = try await bytes(file($0, "mkv", line))
            // In the notation of tags, and under a name of its own.
            return movie.contains(#""Gr\303\266\303\237e""#.utf8) && movie.contains("COMMENTS".utf8)
        },
        Workaround("qtmux, ADPCM: ExportPlanner+Audio") { folder in
            let wave = try await made(folder, "a.wav", "\(second) -c:a adpcm_ima_wav")
            let movie = try await file(folder, "mov", "filesrc location=\(wave) ! wavparse ! qtmux")
            let decoder = "adpcmdec"
            let (all, left) = (
                try await decodedCount(wave, folder, "wavparse ! \(decoder)"),
                try await decodedCount(movie, folder, "qtdemux ! \(decoder)")
            )
            return all >= 2 * 48_000 && left < all
        },
        Workaround("matroskamux, what RealVideo needs to be decoded: ExportPlanner+Video") { folder in
            let stream = "-f lavfi -i testsrc2=size=160x128:rate=30:duration=0.5 -c:v rv20"
            let media = try await made(folder, "a.rm", stream)
            let movie = try await file(folder, "mkv", "filesrc location=\(media) ! rmdemux ! matroskamux")
            try #require(try await isDescribed(media, "rmdemux"))
            return try await !isDescribed(movie, "matroskademux")
        },
    ]
}
