import Capture
import Foundation
import GStreamer
import TestSupport
import Testing

/// The command and the plans against real servers with devices plugged in.
@Suite(.serialized, .timeLimit(.minutes(10)), .requiresPulseAudio, .requiresPipeWire) struct RealDevicesTests {
    struct Line: Decodable, Equatable {
        struct Format: Decodable, Equatable {
            var encoding: String
            var pixelFormat: String?
            var width: Int
            var height: Int
            var rates: [Double]
        }
        var event: String?
        var id: String
        var name: String
        var kind: String
        var backend: String
        var `default`: Bool
        var path: String?
        var formats: [Format]

        static let testTone = Line(
            id: "test", name: "Test tone", kind: "microphone", backend: "test", default: false, formats: [])

        init(
            id: String, name: String, kind: String, backend: String, default isDefault: Bool, formats: [Format]
        ) {
            (self.id, self.name, self.kind, self.backend) = (id, name, kind, backend)
            (self.default, self.formats) = (isDefault, formats)
        }

        init(_ line: some StringProtocol) throws { self = try JSONDecoder().decode(Line.self, from: Data(line.utf8)) }
    }

    private func list(_ servers: Servers) async throws -> (lines: [Line], words: String) {
        let result = try await BuiltCommand.rushes.run(["devices", "--json"], servers: servers)
        #expect(result.status == 0)
        return (try result.text.split(separator: "\n").map { try Line($0) }, result.errors)
    }

    @Test func `PipeWire's cameras and PulseAudio's microphones stand side by side, and loudspeakers behind them`()
        async throws
    {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let camera = try await servers.plugInCamera("cam0", "A Camera", "--size", "320x240", "--rate", "15")
        let lines = try await list(servers).lines
        let monitors = ["speaker0.monitor", "speaker1.monitor"]
        #expect(lines.map(\.id) == ["cam0", "mic1", "mic0"] + monitors + ["test", "test"])
        #expect(lines.map(\.backend) == ["pipewire"] + Array(repeating: "pulseaudio", count: 4) + ["test", "test"])
        #expect(lines.map(\.default) == [true, false, true, true, false, false, false])
        #expect(lines[0].name == "A Camera")
        #expect(
            lines[0].formats == [.init(encoding: "raw", pixelFormat: "YUY2", width: 320, height: 240, rates: [15])])
        try await camera.unplug()
        #expect(try await list(servers).lines.map(\.id) == ["mic1", "mic0"] + monitors + ["test", "test"])
    }

    @Test func `a microphone of PipeWire is listed once, as PulseAudio's protocol shows it`() async throws {
        let servers = try await Servers.start(.pipeWire)
        let microphone = try await servers.plugInMicrophone("talk", "Speaker", "--tone", "440")
        let found = try await list(servers).lines.filter { $0.kind == "microphone" && $0.backend != "test" }
        #expect(found.map(\.id) == ["talk"])
        #expect(found.map(\.backend) == ["pulseaudio"])
        try await microphone.unplug()
    }

    @Test func `a server that hangs is left out and named`() async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let camera = try await servers.plugInCamera("cam0")
        let pulse = try #require(servers.pid("PULSEAUDIO_PID"))
        kill(pulse, SIGSTOP)
        defer { kill(pulse, SIGCONT) }
        let (lines, words) = try await list(servers)
        #expect(lines.map(\.id) == ["cam0", "test", "test"])
        #expect(words.contains("PulseAudio did not answer within 5 seconds"))
        try await camera.unplug()
    }

    @Test func `the first start of GStreamer, which looks into every plugin, is not held against a server`()
        async throws
    {
        let servers = try await Servers.start(.pulseAudio)
        let registry = FileManager.default.temporaryDirectory.appendingPathComponent("registry-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: registry) }
        let result = try await BuiltCommand.rushes.run(
            ["devices"], servers: servers, environment: ["GST_REGISTRY": registry])
        #expect(result.text.contains("mic0"))
        #expect(!result.errors.contains("did not answer"))
    }

    @Test func `arrivals and removals are reported as they happen`() async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let command = try BuiltCommand.rushes.start(["devices", "--watch", "--json"], servers: servers)
        var events: [String] = []
        var camera: VirtualDevice?
        for await text in command.lines {
            let line = try Line(text)
            if line.event == nil, line.id == "test", line.kind == "microphone" {
                camera = try await servers.plugInCamera("cam0")
            }
            // Its formats may be told behind it.
            guard let event = line.event, event != "changed" else { continue }
            events.append("\(event) \(line.id)")
            if event == "added" { try await camera?.unplug() }
            if event == "removed" { break }
        }
        #expect(events == ["added cam0", "removed cam0"])
        command.signal(SIGINT)
    }

    @Test func `microphones that come and go, another default, and another server are told`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let command = try BuiltCommand.rushes.start(["devices", "--watch", "--json"], servers: servers)
        defer { command.signal(SIGINT) }
        func pactl(_ arguments: String...) async throws {
            _ = try await Tool.run("pactl", arguments, environment: servers.environment)
        }
        /// Reads events until one fits.
        func told(_ event: String, _ id: String, isDefault: Bool? = nil) async throws {
            for await text in command.lines {
                let line = try Line(text)
                if (line.event, line.id) == (event, id), line.default == isDefault ?? line.default { return }
            }
            Issue.record("\(event) \(id) was not told")
        }
        // The list ends with the test tone.
        for await text in command.lines where try Line(text) == Line.testTone { break }
        try await pactl("set-default-source", "mic1")
        try await told("changed", "mic1", isDefault: true)
        let microphone = try await servers.plugInMicrophone("talk", "Speaker", "--tone", "440")
        try await told("added", "talk", isDefault: false)
        try await pactl("set-default-source", "talk")
        try await told("changed", "talk", isDefault: true)
        try await microphone.unplug()
        try await told("removed", "talk")
        kill(try #require(servers.pid("PULSEAUDIO_PID")), SIGKILL)
        try await told("removed", "mic0")
    }

    @Test func `a sound server's microphone is printed as what runs, and what stands for it runs in gst-launch`()
        async throws
    {
        let servers = try await Servers.start(.pulseAudio)
        let folder = try TemporaryFolder()
        let printed = try await BuiltCommand.rushes.run(
            ["record", "--camera", "none", "--microphone", "mic0", "--audio", "flac", "--print-pipeline", "take.mkv"],
            servers: servers, folder: folder.path)
        #expect(printed.status == 0, "\(printed)")
        let lines = printed.text.split(separator: "\n")
        let pipeline = lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        #expect(pipeline.contains("appsrc name=audio ") && !pipeline.contains("pulsesrc"), "\(printed)")
        let comment = try #require(lines.last)
        #expect(comment.hasPrefix("# appsrc name=audio gets Test Microphone from libpulse; in gst-launch-1.0 write: "))
        let standIn = try #require(comment.split(separator: "write: ").last)
        let ours = try #require(pipeline.firstMatch(of: /appsrc name=audio [^!]*/)).output
        let run = try await Tool.run(
            "bash",
            [
                "-c",
                // Three seconds from when it has begun to write.
                "gst-launch-1.0 -e -q \(pipeline.replacing(ours, with: "\(standIn) ")) & "
                    + "until [ -s take.mkv ] || ! kill -0 $!; do sleep 0.1; done; sleep 3; kill -INT $!; wait",
            ], environment: servers.environment, folder: folder.path)
        #expect(folder.contents == ["take.mkv"], "\(run)")
        try await FFmpeg.decode(folder.file("take.mkv"))
    }

    @Test func `planned pipelines run as they are printed, with names that need quotes`() async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let camera = try await servers.plugInCamera("cam 0", "A Camera", "--size", "320x240", "--rate", "30")
        let format = CaptureFormat(
            encoding: .raw, pixelFormat: "YUY2", size: VideoSize(320, 240), rates: [Fraction(30)])
        let video = try VideoSourcePlan(
            .device(CaptureDevice(id: "cam 0", name: "A Camera", kind: .camera, backend: .pipewire, formats: [format])))
        let audio = try AudioSourcePlan(
            .device(CaptureDevice(id: "mic0", name: "Mic", kind: .microphone, backend: .pulseaudio)), channels: 6)
        for nodes in [video.nodes, audio.nodes] {
            let text = PipelineDescription([nodes + [.make("fakesink", ["num-buffers": 5])]]).launchText
            let result = try await Tool.run(
                "sh", ["-c", "timeout 100 gst-launch-1.0 -q \(text)"], environment: servers.environment)
            #expect(result.status == 0, "\(text): \(result.errors)")
        }
        try await camera.unplug()
    }
}
