import Foundation
import TestSupport
import Testing

/// A camera that is unplugged while it is recorded alone, and plugged in again.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresPipeWire) struct LostCameraTests {
    private let folder: TemporaryFolder
    private let servers: Servers

    init() async throws {
        folder = try TemporaryFolder()
        servers = try await Servers.start(.pipeWire)
    }

    /// A recording that waits for a camera ends by itself in none of these tests.
    private static let limit = Duration.seconds(120)

    private func camera() async throws -> VirtualDevice {
        try await servers.plugInCamera("desk", "--pattern", "white", "--size", "640x480", "--rate", "30")
    }

    private func record(_ options: String...) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record", "--camera", "desk", "--codec", "h264", "--json", "--progress", "none"] + options + ["take.mov"],
            servers: servers, folder: folder.path)
    }

    @Test(.requires(tool: "tesseract", package: "tesseract-ocr"))
    func `the movie goes on with the reason, and with the camera when it is back`() async throws {
        var camera: VirtualDevice? = try await camera()
        let take = try record("--microphone", "test")
        var (isLost, isOver, gone, back): (Bool, Bool, Double?, Double?) = (false, false, nil, nil)
        var phases: [String] = []
        for try await line in take.lines(within: Self.limit) {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if phases.last != event.state.phase { phases.append(event.state.phase) }
            if !isLost, time > 2 {
                isLost = true
                try await camera?.unplug()
                camera = nil
            }
            if event.state.phase == "interrupted", gone == nil { gone = time }
            if isLost, camera?.hasEnded != false, let gone, time > gone + 5 { camera = try await self.camera() }
            if event.state.message?.hasSuffix("is back and is being recorded again.") == true {
                back = time
            }
            if let begin = back, time > begin + 2, !isOver {
                isOver = true
                take.signal(SIGINT)
            }
        }
        let result = try await take.result(within: .seconds(60))
        // The file is good, and lacks something.
        #expect(result.status == 3, "\(result)")
        Quiet.expect(result.errors)
        #expect(phases == ["running", "interrupted", "running", "finishing", "finished"])
        #expect(
            result.errors.contains(
                "desk is lost (it was unplugged); the recording continues without frames until it is back.")
        )
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let (video, audio) = (
            try await FFProbe.inspect(path).video.first?.duration?.value ?? 0,
            try await FFProbe.inspect(path).audio.first?.duration?.value ?? 0
        )
        #expect(abs(video - audio) < 0.2, "\(video) and \(audio)")
        // Before it and after it is white, in between black with words on it, a frame a second; ffmpeg takes the next frame from a time on.
        let dark = try #require(gone) + 3
        let lights = [try await light(at: 1), try await light(at: dark), try await light(at: (back ?? 0) + 1.5)]
        #expect(lights[0] > 200 && lights[1] < 40 && lights[2] > 200, "\(lights)")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "\(dark)", "-i", path, "-frames:v", "1", folder.file("words.png")])
        let read = try await Tool.succeed("tesseract", [folder.file("words.png"), "-", "--psm", "6"])
        #expect(read.text.contains("unplugged"), "\(read)")
        let last = try #require(try Event.all(result.text).last)
        // The five seconds without the camera would be more; a busy machine's virtual camera leaves out some of its own.
        #expect(last.state.framesDropped ?? 999 < 140, "\(last)")
    }

    /// Two that are composed, both unplugged before either is back.
    @Test func `cameras that are lost all at once are taken up again, each when it is back`() async throws {
        func inset() async throws -> VirtualDevice {
            try await servers.plugInCamera("face", "--pattern", "red", "--size", "320x240", "--rate", "30")
        }
        var cameras: [VirtualDevice] = [try await camera(), try await inset()]
        let take = try record("--microphone", "test", "--inset", "face", "--layout", "bottom-right,size=50%,margin=0")
        var (isLost, isOver, gone, back): (Bool, Bool, Double?, [String: Double]) = (false, false, nil, [:])
        var phases: [String] = []
        for try await line in take.lines(within: Self.limit) {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if phases.last != event.state.phase { phases.append(event.state.phase) }
            if !isLost, time > 1 {
                isLost = true
                for camera in cameras { try await camera.unplug() }
                cameras = []
            }
            if event.state.phase == "interrupted", gone == nil { gone = time }
            if isLost, let gone, time > gone + 5 {
                if cameras.isEmpty { cameras = [try await inset(), try await camera()] }
                if cameras[0].hasEnded { cameras[0] = try await inset() }
                if cameras[1].hasEnded { cameras[1] = try await camera() }
            }
            for name in ["desk", "face"]
            where event.state.message?.contains("\(name) is back") == true && back[name] == nil { back[name] = time }
            if !isOver, back.count == 2, let last = back.values.max(), time > last + 2 {
                isOver = true
                take.signal(SIGINT)
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 3 && back.count == 2, "\(result)")
        #expect(phases == ["running", "interrupted", "running", "finishing", "finished"], "\(phases)")
        try await FFmpeg.decode(folder.file("take.mov"))
        let end = (back.values.max() ?? 0) + 1.5
        // The main camera's white and the inset's red, which is dark; in between a card that is black.
        let between = try #require(gone) + 3
        let lights = [try await light(at: 0.5), try await light(at: between), try await light(at: end)]
        #expect(lights[0] > 150 && lights[1] < 40 && abs(lights[2] - lights[0]) < 15, "\(lights)")
    }

    @Test func `a camera that comes back without the recorded size is taken up, fitted into the movie`() async throws {
        var camera: VirtualDevice? = try await camera()
        // Without audio it would be over after ten seconds, in which a busy machine may not have the camera ready.
        let take = try record("--microphone", "test")
        var (isLost, isOver, back): (Bool, Bool, Double?) = (false, false, nil)
        for try await line in take.lines(within: Self.limit) {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if !isLost, time > 1 {
                isLost = true
                try await camera?.unplug()
                camera = nil
            }
            if isLost, camera?.hasEnded != false, event.state.phase == "interrupted" {
                camera = try await servers.plugInCamera(
                    "desk", "--pattern", "white", "--size", "320x240", "--rate", "30")
            }
            if camera != nil, isLost, event.state.phase == "running", back == nil { back = time }
            if let begin = back, time > begin + 1, !isOver {
                isOver = true
                take.signal(SIGINT)
            }
        }
        let result = try await take.result(within: .seconds(60))
        let begin = try #require(back, "\(result)")
        #expect(result.status == 3 && result.errors.contains("320×240"), "\(result)")
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let video = try #require(try await FFProbe.inspect(path).video.first)
        #expect(video.width == 640 && video.height == 480)
        #expect(try await light(at: begin + 0.5) > 200)
    }

    @Test func `a take that is to end with its camera ends`() async throws {
        let camera = try await camera()
        let take = try record("--microphone", "test", "--on-loss", "end")
        for try await line in take.lines(within: Self.limit) where try Event(line).state.mediaTime ?? 0 > 1 { break }
        try await camera.unplug()
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 3 && result.errors.contains("desk was lost: it was unplugged."), "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    /// Mean luma of the frame that is shown at a time.
    private func light(at time: Double) async throws -> Int {
        let pixel = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "\(time)", "-i", folder.file("take.mov"), "-frames:v", "1"]
                + ["-vf", "scale=1:1,format=gray", "-f", "rawvideo", "-"]
        ).output
        return Int(pixel.first ?? 0)
    }
}
