import Foundation
import TestSupport
import Testing

/// A camera on the network, as `gst:rtspsrc` reaches it.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "/usr/bin/python3", package: "python3"))
struct NetworkCameraTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// GStreamer's RTSP server on a port that is free, or the one that follows, which it prints. Its address is the test's own:
    /// nobody else gets the port of a server that is killed and started again.
    private static let server = """
        import gi, sys
        gi.require_version('Gst', '1.0'); gi.require_version('GstRtspServer', '1.0')
        from gi.repository import Gst, GstRtspServer, GLib
        Gst.init(None)
        server, factory = GstRtspServer.RTSPServer(), GstRtspServer.RTSPMediaFactory()
        server.set_service(sys.argv[1] if len(sys.argv) > 1 else '0')
        server.set_address('127.0.0.3')
        factory.set_launch('( videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=25/1 '
                           '! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=25 ! rtph264pay name=pay0 '
                           'audiotestsrc is-live=true ! avenc_aac ! rtpmp4gpay name=pay1 )')
        server.get_mount_points().add_factory('/door', factory)
        server.attach(None)
        print(server.get_bound_port(), flush=True)
        GLib.MainLoop().run()
        """

    private func start(_ port: String...) async throws -> (server: RunningCommand, port: String) {
        let server = try RunningCommand("/usr/bin/python3", ["-c", Self.server] + port)
        for await line in server.lines { return (server, line) }
        throw ToolError.failed(try await server.result(within: .seconds(10)))
    }

    private func record(
        _ camera: String, _ options: [String], _ file: String, microphone: String = "none"
    ) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record", "--camera", "gst:\(camera)", "--microphone", microphone, "--json"] + options + [file],
            folder: folder.path)
    }

    @Test func `it is recorded as it comes or encoded again, and its end leaves a complete movie`() async throws {
        let (server, port) = try await start()
        let camera = "rtspsrc location=rtsp://127.0.0.3:\(port)/door"
        let copy = try await record(camera, ["--codec", "copy", "--duration", "2"], "copy.mp4").result(
            within: .seconds(60))
        #expect(copy.status == 0, "\(copy)")
        let copied = try #require(try await FFProbe.inspect(folder.file("copy.mp4")).video.first)
        #expect(copied.codecName == "h264" && copied.width == 320)
        try await FFmpeg.decode(folder.file("copy.mp4"))

        let take = try record(camera, ["--codec", "mjpeg"], "take.mov")
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 >= 1 { break }
        server.signal(SIGKILL)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 3, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.fileIsGood == true && last.state.reason?.contains("was lost") == true, "\(result)")
        Quiet.expect(result.errors)
        #expect(try await FFProbe.inspect(folder.file("take.mov")).video.first?.codecName == "mjpeg")
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `it is recorded on where it is lost and answers again`() async throws {
        let (server, port) = try await start()
        let take = try record(
            "rtspsrc location=rtsp://127.0.0.3:\(port)/door", ["--codec", "mjpeg"], "take.mov", microphone: "test")
        var (again, back, before): (RunningCommand?, Double?, Int) = (nil, nil, 0)
        var isOver = false
        for await line in take.lines {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if again == nil, time > 1, event.state.phase == "running" { server.signal(SIGKILL) }
            if again == nil, event.state.phase == "interrupted" { again = try await start(port).server }
            let frames = event.state.framesWritten ?? 0
            if back == nil, event.state.message?.hasSuffix("is back and is being recorded again.") == true {
                (back, before) = (time, frames)
            }
            if back != nil, frames > before + 10, !isOver {
                isOver = true
                take.signal(SIGINT)
            }
        }
        let result = try await take.result(within: .seconds(60))
        again?.signal(SIGTERM)
        #expect(result.status == 3 && back != nil, "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
        let times = try await FFProbe.packets("v:0", of: folder.file("take.mov")).compactMap(\.ptsTime?.value)
        #expect(times.count { $0 > (back ?? 99) - 0.5 } >= 10, "\(times)")
    }

    @Test(arguments: [
        ("rtspsrc location=rtsp://127.0.0.1:1/door", "nothing answers at its address"),
        ("rtspsrc", "No valid RTSP URL was provided"),
    ]) func `one that is not there is named, with what to look at`(camera: String, words: String) async throws {
        try await Refusal.expect(
            ["record", "--camera", "gst:\(camera)", "--microphone", "none", "take.mov"], status: 1,
            saying: ["gst:\(camera)", words], in: folder)
    }
}
