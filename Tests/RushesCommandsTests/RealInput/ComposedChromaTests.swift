import Foundation
import TestSupport
import Testing

/// Two cameras that give 4:2:2, whose color differs from each row to the next: composed as ProRes, each row keeps its own.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresPipeWire) struct ComposedChromaTests {
    private static let (main, inset) = ((width: 320, height: 240), (x: 80, y: 60, width: 160, height: 120))
    /// Of even rows and of odd ones, the inset's the other way round.
    private static let blue: [UInt8] = [90, 180]

    private let folder: TemporaryFolder
    private let servers: Servers

    init() async throws {
        folder = try TemporaryFolder()
        servers = try await Servers.start(.pipeWire)
    }

    /// A camera whose rows have one color and another by turns; nothing is lost on the way to it.
    private func camera(_ name: String, _ width: Int, _ height: Int, isInverse: Bool) async throws -> VirtualDevice {
        let (even, odd) = isInverse ? (Self.blue[1], Self.blue[0]) : (Self.blue[0], Self.blue[1])
        let clip = folder.file("\(name).mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=size=\(width)x\(height):rate=15:duration=2",
                "-vf",
                "format=yuv422p,geq=lum=120:cb=if(mod(Y\\,2)\\,\(odd)\\,\(even)):cr=if(mod(Y\\,2)\\,\(even)\\,\(odd))",
                "-c:v", "ffv1", clip,
            ])
        return try await servers.plugInCamera(
            name, "--clip", clip, "--size", "\(width)x\(height)", "--rate", "15")
    }

    /// One of the planes of a frame in the middle, a byte a sample.
    private func plane(_ name: String) async throws -> [UInt8] {
        Array(
            try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", folder.file("take.mov"), "-vf",
                    "select=eq(n\\,8),format=yuv422p,extractplanes=\(name)", "-frames:v", "1", "-f", "rawvideo", "-",
                ]
            ).output)
    }

    @Test func `each row keeps its color, the inset's too`() async throws {
        let (main, inset) = (Self.main, Self.inset)
        let cameras = [
            try await camera("desk", main.width, main.height, isInverse: false),
            try await camera("face", inset.width, inset.height, isInverse: true),
        ]
        let place = "x=\(inset.x),y=\(inset.y),width=\(inset.width),height=\(inset.height)"
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "desk", "--inset", "face", "--layout", place, "--microphone", "none", "--codec",
                "prores", "--duration", "2s", "--json", "--progress", "none", "take.mov",
            ], servers: servers, folder: folder.path)
        #expect(result.status == 0, "\(result)")
        _ = cameras
        let track = try #require(try await FFProbe.inspect(folder.file("take.mov")).video.first)
        #expect(track.pixFmt == "yuv422p10le")
        // Half as wide, and as high as the frame.
        let (blue, width) = (try await plane("u"), main.width / 2)
        try #require(blue.count == width * main.height)
        var wrong: [String] = []
        for row in 0..<main.height {
            for column in 0..<width {
                let (x, y) = (2 * column - inset.x, row - inset.y)
                // What lies across the border is in blocks of the encoder with both.
                if (-16..<inset.width + 16).contains(x), (-16..<inset.height + 16).contains(y),
                    !((16..<inset.width - 16).contains(x) && (16..<inset.height - 16).contains(y))
                {
                    continue
                }
                let isInset = (0..<inset.width).contains(x) && (0..<inset.height).contains(y)
                let wanted = Self.blue[(row + (isInset ? 1 : 0)) % 2]
                let found = blue[row * width + column]
                if abs(Int(found) - Int(wanted)) > 8 { wrong.append("\(column),\(row): \(found), not \(wanted)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
    }
}
