import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Files that GStreamer (1.22) does not read, or reads wrongly, and libavformat and libavcodec read: frame for frame as ffmpeg decodes them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DecodedVideoTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A second of 25 frames, and a tone that rises.
    private func make(_ name: String, _ options: String, audio: Bool = true) async throws {
        let tone = "aevalsrc=0.4*sin(2*PI*(300+200*t)*t)|0.3*sin(2*PI*(400+200*t)*t):s=48000:d=1"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=1"]
                + (audio ? ["-f", "lavfi", "-i", tone] : []) + Tool.words(options)
                + [folder.file(name)])
    }

    /// How many frames ffmpeg decodes of both, how like they are, and how much later audio begins than frames, as it tells of both.
    private func expectWhole(_ input: String, audio: Bool = true) async throws {
        let result = try await export(input)
        let (made, wanted) = (try await frames("out.mov"), try await frames(input))
        #expect(made == wanted && wanted > 0, "\(made) of \(wanted): \(result.notes)")
        let likeness = try await similarity("out.mov", input)
        #expect(likeness > 0.9, "\(likeness): \(result.notes)")
        guard audio else { return }
        let (own, new) = (try await step(input), try await step("out.mov"))
        // ffprobe tells of GXF when its first frame is decoded.
        #expect(abs(own - new) < 0.045, "audio begins \(new) s later and not \(own): \(result.notes)")
        let (before, after) = (
            try await FFmpeg.audio(of: folder.file(input)), try await FFmpeg.audio(of: folder.file("out.mov"))
        )
        #expect(after.count >= before.count - 400, "\(after.count) of \(before.count) samples")
    }

    private func frames(_ name: String) async throws -> Int {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:v:0", "-fps_mode", "passthrough"]
                + ["-f", "framecrc", "-"]
        ).text.split(separator: "\n").count { !$0.hasPrefix("#") }
    }

    private func similarity(_ name: String, _ input: String) async throws -> Double {
        let same = "setpts=N/25/TB,scale=160:120,format=yuv420p"
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "info", "-i", folder.file(name), "-i", folder.file(input)]
                + ["-lavfi", "[0:v]\(same)[a];[1:v]\(same)[b];[a][b]ssim", "-f", "null", "-"])
        let text = result.errors.components(separatedBy: "All:").last ?? ""
        return try #require(Double(text.prefix { !$0.isWhitespace }), "\(result.errors)")
    }

    private func step(_ name: String) async throws -> Double {
        let report = try await FFProbe.inspect(folder.file(name))
        return (report.audio.first?.startTime?.value ?? 0) - (report.video.first?.startTime?.value ?? 0)
    }

    @Test(
        arguments: Cases.taken(of: [
            // No demuxer, or one of libavformat's that tells too little.
            ("in.nut", "-c:v ffv1 -c:a flac"), ("in.wtv", "-c:v mpeg2video -c:a mp2"),
            ("in.gxf", "-c:v mpeg2video -s 720x576 -c:a pcm_s16le -ac 1"),
            ("in.swf", "-c:v flv -c:a libmp3lame -ar 44100"),
            ("in.roq", "-c:v roqvideo -r 30 -s 160x128 -c:a roq_dpcm -ar 22050"),
            ("in.cpk", "-f film_cpk -c:v cinepak -c:a pcm_s16be_planar"),
            // Two halves of each frame, which its parser takes for frames.
            ("in.dv", "-c:v dvvideo -pix_fmt yuv422p -s 720x576 -f dv -c:a pcm_s16le"),
            ("in.mxf", "-c:v dvvideo -pix_fmt yuv422p -s 720x576 -c:a pcm_s16le"),
            // No name for what it is.
            ("in.mkv", "-c:v svq1 -pix_fmt yuv410p -c:a pcm_s16le"),
            ("in.mov", "-c:v tiff -pix_fmt rgb24 -c:a pcm_s16le"),
            ("in.avi", "-c:v v308 -c:a pcm_s16le"),
            // Other colors, and pixels that nothing takes.
            ("in.mov", "-c:v r210 -pix_fmt gbrp10le -c:a pcm_s16le"), ("in.mov", "-c:v v308 -c:a pcm_s16le"),
            ("in.mov", "-c:v smc -c:a pcm_s16le"), ("in.mov", "-c:v rawvideo -pix_fmt pal8 -c:a pcm_s16le"),
            ("in.avi", "-c:v rawvideo -pix_fmt bgr24 -c:a pcm_s16le"),
            // Formats of frames that GStreamer does not have.
            ("in.nut", "-c:v ffv1 -pix_fmt yuv440p -c:a flac"), ("in.nut", "-c:v ffv1 -pix_fmt gbrp14le -c:a flac"),
            ("in.nut", "-c:v ffv1 -pix_fmt gray10le -c:a flac"), ("in.nut", "-c:v ffv1 -pix_fmt yuv422p9le -c:a flac"),
            ("in.nut", "-c:v rawvideo -pix_fmt pal8 -c:a flac"), ("in.nut", "-c:v rawvideo -pix_fmt monow -c:a flac"),
            ("in.nut", "-c:v rawvideo -pix_fmt rgb565le -c:a flac"),
            // Audio at other times: its decoder's begins at 0, and a program stream does not.
            ("in.vob", "-c:v mpeg2video -c:a pcm_dvd -f vob"),
            ("in.m2ts", "-c:v mpeg2video -c:a pcm_bluray -mpegts_m2ts_mode 1"),
        ])) func `what GStreamer does not read is there, frame for frame`(name: String, options: String) async throws
    {
        try await make(name, options)
        try await expectWhole(name)
    }

    @Test(arguments: [
        ("in.apng", "-c:v apng -f apng"), ("in.y4m", "-f yuv4mpegpipe -pix_fmt yuv420p10le -strict -1"),
        ("in.drc", "-c:v vc2 -pix_fmt yuv422p -f dirac"),
    ]) func `so are frames without audio`(name: String, options: String) async throws {
        try await make(name, options, audio: false)
        try await expectWhole(name, audio: false)
    }

    @Test func `all its audio is there, by language, and its time code`() async throws {
        try await make(
            "in.nut",
            "-map 0:v -map 1:a -map 1:a -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre -c:v mpeg4 -c:a flac")
        _ = try await export("in.nut")
        #expect(try await FFProbe.inspect(folder.file("out.mov")).audio.map(\.tags?["language"]) == ["deu", "fra"])
        try await make("in.gxf", "-c:v mpeg2video -s 720x576 -c:a pcm_s16le -ac 1 -timecode 01:02:03:04")
        _ = try await export("in.gxf", to: "coded.mov")
        let told = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream_tags=timecode", "-of", "csv=p=0", folder.file("coded.mov")])
        #expect(told.text.contains("01:02:03:04"), "\(told.text)")
    }

    @Test(arguments: [
        ("in.nut", "-c:v mpeg4 -c:a flac"), ("in.avi", "-c:v r210 -pix_fmt gbrp10le -c:a pcm_s16le"),
        ("in.avi", "-c:v rawvideo -pix_fmt bgr24 -c:a pcm_s16le"),
    ]) func `it is not copied, which is said with the cure`(name: String, options: String) async throws {
        try await make(name, options)
        let error = await #expect(throws: RushesError.self) { _ = try await export(name, to: "out.mkv", "copy") }
        #expect("\(error as Any)".contains("cannot be copied"), "\(error as Any)")
        #expect(folder.contents == [name])
    }
}
