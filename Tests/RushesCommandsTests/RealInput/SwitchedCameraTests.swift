import Foundation
import TestSupport
import Testing

/// Another camera that continues a recording: because it is asked for, and because the one before is unplugged.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresPipeWire) struct SwitchedCameraTests {
    private let folder: TemporaryFolder
    private let servers: Servers

    init() async throws {
        folder = try TemporaryFolder()
        servers = try await Servers.start(.pipeWire)
    }

    /// What is asked for, what then is said, and how bright the camera is that is to be seen from then on.
    private struct Step {
        let words: [String]
        let answer: String
        let isBright: Bool
    }

    @Test func `the movie has the cameras one after the other, and all of the audio`() async throws {
        let desk = try await servers.plugInCamera("desk", "--pattern", "white", "--size", "640x480", "--rate", "30")
        var face: VirtualDevice? = try await servers.plugInCamera(
            "face", "--pattern", "black", "--size", "320x240", "--rate", "15")
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "desk", "--microphone", "test", "--codec", "h264", "--on-loss", "switch:face",
                "--json",
                "--progress", "none", "take.mov",
            ], servers: servers, folder: folder.path)
        var steps = [
            Step(
                words: ["nobody"], answer: "The camera was not switched: no camera is called “nobody”;", isBright: true),
            Step(words: ["face"], answer: "The recording continues with face.", isBright: false),
            Step(words: [], answer: "The recording continues with desk.", isBright: true),
            Step(words: ["face"], answer: "The recording continues with face.", isBright: false),
        ]
        var (waiting, seen, since): (Step?, [(time: Double, isBright: Bool)], Double) = (nil, [], 0)
        for await line in take.lines {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if let step = waiting, event.state.message?.contains(step.answer) == true {
                (waiting, since) = (nil, time)
                seen.append((time, step.isBright))
            }
            guard waiting == nil, time > since + 1.2, event.state.phase == "running" || face == nil else { continue }
            if !steps.isEmpty {
                let step = steps.removeFirst()
                let result = try await BuiltCommand.rushes.run(
                    ["control", event.id, "switch"] + step.words, servers: servers, folder: folder.path)
                let isThere = step.words != ["nobody"]
                #expect(result.status == (isThere ? 0 : 1), "\(result)")
                #expect(result.errors.hasPrefix("The recording continues with ") == isThere, "\(result)")
                waiting = step
            } else if face != nil {
                try await face?.unplug()
                face = nil
                // The camera that is named is the one that is lost, so the first one follows.
                waiting = Step(words: [], answer: "The recording continues with desk.", isBright: true)
            } else {
                take.signal(SIGINT)
                since = .infinity
            }
        }
        let result = try await take.result(within: .seconds(60))
        _ = desk
        // The file is good, and a camera was lost.
        #expect(result.status == 3, "\(result)")
        Quiet.expect(result.errors)
        #expect(
            result.errors.contains("face was lost at ") && result.errors.contains("; desk is recorded from "),
            "\(result.errors)")
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let report = try await FFProbe.inspect(path)
        let (video, audio) = (report.video.first?.duration?.value ?? 0, report.audio.first?.duration?.value ?? 0)
        #expect(abs(video - audio) < 0.2, "\(video) and \(audio)")
        let lights = try await lights(path)
        #expect(seen.count == 5)
        for (time, isBright) in seen {
            // The event comes up to half a second after the first frame, of which a busy machine's encoder may have dropped some; the next
            // switch comes more than 1.2 seconds after it.
            let light = lights.last { $0.time <= time + 1.1 }?.luma ?? -1
            #expect(isBright ? light > 200 : (0..<40).contains(light), "\(light) at \(time)")
        }
        let silences = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "info", "-i", path, "-af", "silencedetect=n=-40dB:d=0.02", "-f", "null", "-"])
        #expect(!silences.errors.contains("silence_start"), "\(silences.errors.suffix(600))")
    }

    /// The mean luma of each frame.
    private func lights(_ path: String) async throws -> [(time: Double, luma: Int)] {
        let raw = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=1:1,format=gray", "-f",
                "rawvideo", "-",
            ]
        ).output
        let times = try await FFProbe.packets("v:0", of: path).compactMap(\.ptsTime?.value).sorted()
        return zip(times, raw).map { ($0, Int($1)) }
    }
}
