import Foundation
import TestSupport
import Testing

/// Cameras that compress their frames themselves, and requests that the cameras at hand cannot meet.
@Suite(.timeLimit(.minutes(25)), .alone, .requiresPipeWire) struct CameraStreamTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        var encoding: String
        var codec: String
        var testDescription: String { encoding }
    }

    @Test(arguments: [Stream(encoding: "jpeg", codec: "mjpeg"), Stream(encoding: "h264", codec: "h264")])
    func `a compressed stream is recorded as it comes, or decoded where a codec is asked for`(stream: Stream)
        async throws
    {
        let servers = try await Servers.start(.pipeWire)
        let camera = try await servers.plugInCamera(
            "cam", "Stream Camera", "--encoding", stream.encoding, "--size", "320x240")
        let folder = try TemporaryFolder()
        for codec in ["copy", "prores"] {
            let result = try await BuiltCommand.rushes.run(
                [
                    "record", "--camera", "stream", "--microphone", "none", "--progress", "none", "--codec", codec,
                    "--duration", "3", "\(codec).mov",
                ], servers: servers, folder: folder.path)
            #expect(result.status == 0, "\(result)")
            Quiet.expect(result.errors)
            #expect(result.errors.contains(codec == "copy" ? "stream as it comes" : "decoded by"), "\(result)")
            let file = folder.file("\(codec).mov")
            try await Judges.expectDecodes(file)
            let video = try #require(try await FFProbe.inspect(file).video.first)
            #expect(video.codecName == (codec == "copy" ? stream.codec : "prores"))
            let packets = try await FFProbe.packets("v:0", of: file)
            // The camera itself leaves frames out where the machine is busy, which is told.
            let dropped = result.errors.firstMatch(of: /(\d+) frames? dropped/).flatMap { Int($0.1) } ?? 0
            #expect((84...92).contains(packets.count + dropped), "\(packets.count) frames of 90, \(dropped) dropped")
            #expect(packets.count >= 30)
            #expect(Set(packets.compactMap(\.ptsTime?.value)).count == packets.count, "frames of one time")
            #expect(packets.first?.ptsTime?.value == 0)
        }
        try await camera.unplug()
    }

    @Test func `what the cameras at hand lack is refused before a file is made, with what there is`() async throws {
        let servers = try await Servers.start(.pipeWire)
        let left = try await servers.plugInCamera("left", "Studio Camera Left", "--size", "320x240")
        let right = try await servers.plugInCamera("right", "Studio Camera Right", "--size", "320x240")
        func take(_ options: String...) -> [String] {
            ["record", "--microphone", "none", "--progress", "none", "--duration", "1"] + options + ["take.mov"]
        }
        try await Refusal.expect(
            take("--camera", "studio"), status: 64, saying: ["Studio Camera Left", "Studio Camera Right"],
            servers: servers)
        try await Refusal.expect(
            take("--camera", "left", "--size", "1920x1080"), status: 64,
            saying: ["1920×1080", "the nearest is 320×240"],
            servers: servers)
        try await Refusal.expect(
            take("--camera", "left", "--rate", "120"), status: 64, saying: ["120", "320×240 at 30"], servers: servers)
        try await Refusal.expect(
            take("--camera", "left", "--codec", "copy"), status: 64, saying: ["no compressed stream to copy"],
            servers: servers)
        try await Refusal.expect(
            take("--camera", "middle"), status: 1, saying: ["middle", "rushes devices"], servers: servers)
        try await left.unplug()
        try await right.unplug()
    }
}
