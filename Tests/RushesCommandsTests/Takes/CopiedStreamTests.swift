import Foundation
import TestSupport
import Testing

/// A camera's own H.264, as it comes.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct CopiedStreamTests {
    /// The stream begins amid a group; behind its tenth frame comes one of I slices with which no decoder can begin, and later one with
    /// which all can.
    @Test func `a recording begins with a frame that nothing before is needed for`() async throws {
        let folder = try TemporaryFolder()
        let (whole, cut) = (folder.file("whole.mp4"), folder.file("cut.h264"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red:s=320x240:r=25:d=0.8", "-f", "lavfi"]
                + ["-i", "testsrc2=s=320x240:r=25:d=5", "-filter_complex", "[0][1]concat=n=2", "-pix_fmt", "yuv420p"]
                + ["-c:v", "libx264", "-x264-params", "keyint=50:min-keyint=50:scenecut=100:bframes=0:ref=3", whole])
        let slices = try await FFProbe.frames("v:0", of: whole)
        try #require(slices.contains { $0.pictType == "I" && $0.keyFrame == 0 })
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", whole, "-c", "copy", "-bsf:v"]
                + ["h264_mp4toannexb,noise=drop='lt(n,10)',dump_extra=freq=e", "-f", "h264", cut])
        let source = "gst:filesrc location=\(cut) ! h264parse ! video/x-h264,framerate=25/1"
        let result = try await BuiltCommand.rushes.run(
            ["record", "a.mov", "--camera", source, "--codec", "copy", "--microphone", "none", "--duration", "1"],
            folder: folder.path)
        #expect(result.status == 0, "\(result.errors)")
        let frames = try await FFProbe.frames("v:0", of: folder.file("a.mov"))
        #expect(frames.first?.keyFrame == 1 && frames.count >= 24, "\(frames.count)")
        try await FFmpeg.decode(folder.file("a.mov"))
    }

    /// As encoders behind HDMI and some network cameras give it.
    @Test(arguments: ["a.mov", "a.mp4", "a.mkv"])
    func `frames that are coded in another order than they are shown are all there, at their times`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let source = folder.file("source.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=8", "-pix_fmt", "yuv420p"]
                + ["-g", "25", "-c:v", "libx264", "-bf", "3", source])
        let camera = "gst:filesrc location=\(source) ! qtdemux ! identity sync=true"
        let result = try await BuiltCommand.rushes.run(
            ["record", name, "--camera", camera, "--codec", "copy", "--microphone", "none", "--duration", "2"],
            folder: folder.path)
        #expect(result.status == 0 && !result.errors.contains("dropped"), "\(result.errors)")
        let times = try await FFProbe.packets("v:0", of: folder.file(name)).compactMap(\.ptsTime?.value).sorted()
        // The last that is coded is shown behind those that would follow it.
        #expect((47...51).contains(times.count), "\(times.count)")
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(steps.dropLast(4).allSatisfy { abs($0 - 0.04) < 0.002 }, "\(steps)")
        try await FFmpeg.decode(folder.file(name))
        let (own, all) = try await (hashes(folder.file(name)), hashes(source))
        let begin = try #require(own.first.flatMap { all.firstIndex(of: $0) })
        #expect(begin % 25 == 0 && own.dropLast(4) == all[begin...].prefix(own.count - 4))
    }

    /// Of the frames that ffmpeg decodes, in the order in which they are shown.
    private func hashes(_ path: String) async throws -> [Substring?] {
        let options = ["-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        return try await Tool.succeed("ffmpeg", options).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last }
    }
}
