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

    /// A camera whose own H.264 has B-frames, 25 frames a second, with a key frame each second.
    ///
    /// - Parameter source: the movie that it plays, made here.
    private static func camera(seconds: Int, _ source: String) async throws -> String {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=\(seconds)"]
                + ["-pix_fmt", "yuv420p", "-g", "25", "-c:v", "libx264", "-bf", "3", source])
        return "gst:filesrc location=\(source) ! qtdemux ! identity sync=true"
    }

    /// As encoders behind HDMI and some network cameras give it.
    @Test(arguments: ["a.mov", "a.mp4", "a.mkv"])
    func `frames that are coded in another order than they are shown are all there, at their times`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let source = folder.file("source.mp4")
        let camera = try await Self.camera(seconds: 8, source)
        let result = try await BuiltCommand.rushes.run(
            ["record", name, "--camera", camera, "--codec", "copy", "--microphone", "test", "--duration", "2.1"],
            folder: folder.path)
        #expect(result.status == 0 && !result.errors.contains("dropped"), "\(result.errors)")
        let times = try await FFProbe.packets("v:0", of: folder.file(name)).compactMap(\.ptsTime?.value).sorted()
        // With up to three that are shown behind the end, which those before it need.
        #expect((52...56).contains(times.count), "\(times.count)")
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(steps.allSatisfy { abs($0 - 0.04) < 0.002 }, "\(steps)")
        try await FFmpeg.decode(folder.file(name))
        let (own, all) = try await (hashes(folder.file(name)), hashes(source))
        let begin = try #require(own.first.flatMap { all.firstIndex(of: $0) })
        #expect(begin % 25 == 0 && own[...] == all[begin...].prefix(own.count))
        let audio = Double(try await FFmpeg.audio(of: folder.file(name), rate: 48_000).count) / 48_000
        // A packet of AAC at either end.
        #expect(abs(audio - Double(own.count) * 0.04) < 0.045, "\(audio) s of audio, \(own.count) frames")
    }

    @Test func `a pause among frames that are coded in another order leaves no gap before it`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.file("source.mp4")
        let camera = try await Self.camera(seconds: 60, source)
        let journal = ["XDG_STATE_HOME": folder.file("state")]
        let take = try BuiltCommand.rushes.start(
            ["record", "a.mov", "--camera", camera, "--codec", "copy", "--microphone", "none", "--json"],
            environment: journal, folder: folder.path)
        func control(_ id: String, _ wish: String) async throws {
            let result = try await BuiltCommand.rushes.run(
                ["control", id, wish], environment: journal, folder: folder.path)
            #expect(result.status == 0, "\(result)")
        }
        var phases: [String] = []
        var (paused, pausedAt) = (0, 0.0)
        var isStopped = false
        for await line in take.lines {
            let event = try Event(line)
            let (phase, time) = (event.state.phase, event.state.mediaTime ?? 0)
            if phases.last != phase { phases.append(phase) }
            if phases == ["running"], time > 1 { try await control(event.id, "pause") }
            if phase == "paused" {
                (paused, pausedAt) = (paused + 1, time)
                if paused == 4 { try await control(event.id, "resume") }
            }
            // Where a request takes its time, the pause comes late too.
            if phases == ["running", "paused", "running"], time > pausedAt + 2, !isStopped {
                isStopped = true
                try await control(event.id, "stop")
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        let (own, all) = try await (hashes(folder.file("a.mov")), hashes(source))
        let places = own.map { all.firstIndex(of: $0) ?? -1 }
        let gaps = zip(places.dropFirst(), places).filter { $0 != $1 + 1 }
        #expect(gaps.count == 1 && gaps.allSatisfy { $0.0 % 25 == 0 && $0.0 > $0.1 }, "\(places)")
        let times = try await FFProbe.packets("v:0", of: folder.file("a.mov")).compactMap(\.ptsTime?.value).sorted()
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(steps.allSatisfy { abs($0 - 0.04) < 0.002 }, "\(steps)")
    }

    /// As network cameras send it: the headers come with the first frame, in the middle of a group whose key frame was before.
    @Test func `frames in another order are all there too where the camera is in the middle of a group`() async throws {
        let folder = try TemporaryFolder()
        let (source, cut) = (folder.file("source.mp4"), folder.file("cut.ts"))
        _ = try await Self.camera(seconds: 8, source)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", source, "-c", "copy", "-bsf:v"]
                + ["h264_mp4toannexb,noise=drop='lt(n,8)',dump_extra=freq=e", "-f", "mpegts", cut])
        let result = try await BuiltCommand.rushes.run(
            ["record", "a.mov", "--camera", "gst:filesrc location=\(cut) ! tsdemux ! identity sync=true"]
                + ["--codec", "copy", "--microphone", "none", "--duration", "2.1"], folder: folder.path)
        #expect(result.status == 0 && !result.errors.contains("dropped"), "\(result.errors)")
        let (own, all) = try await (hashes(folder.file("a.mov")), hashes(source))
        let begin = try #require(own.first.flatMap { all.firstIndex(of: $0) })
        #expect(begin % 25 == 0 && (52...56).contains(own.count), "\(begin), \(own.count)")
        #expect(own[...] == all[begin...].prefix(own.count))
    }

    /// Of the frames that ffmpeg decodes, in the order in which they are shown.
    private func hashes(_ path: String) async throws -> [Substring?] {
        let options =
            ["-nostdin", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        return try await Tool.succeed("ffmpeg", options).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last }
    }
}
