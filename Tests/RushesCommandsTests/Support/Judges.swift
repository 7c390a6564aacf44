import Foundation
import TestSupport
import Testing

/// What every finished movie must withstand, whatever its codecs.
enum Judges {
    struct Expected: Sendable {
        var video: String?
        var audio: String?
        var frames: Int?
        var seconds: Double
        var size = (width: 320, height: 240)
        var channels = 2
    }

    /// ffprobe's facts, ffmpeg's decoders without a word, gst-discoverer, and `rushes info` that agrees with them.
    static func expect(
        _ file: String, _ expected: Expected, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectDecodes(file)
        let report = try await FFProbe.inspect(file)
        let discovered = try await GstDiscoverer.inspect(file)
        #expect(report.video.map(\.codecName) == (expected.video.map { [$0] } ?? []), sourceLocation: sourceLocation)
        #expect(report.audio.map(\.codecName) == (expected.audio.map { [$0] } ?? []), sourceLocation: sourceLocation)
        // A frame and a packet of audio: Matroska rounds to milliseconds, lossy audio comes in packets.
        // FLAC's last packet is told as long as a full one (matroskamux 1.22), though it holds no more samples than it should.
        let tolerance = expected.audio == "flac" ? 0.1 : 0.045
        #expect(
            abs((report.format.duration?.value ?? 0) - expected.seconds) < tolerance, sourceLocation: sourceLocation)
        #expect(abs((discovered.duration ?? 0) - expected.seconds) < tolerance, sourceLocation: sourceLocation)
        #expect(discovered.isSeekable, sourceLocation: sourceLocation)
        if let frame = report.video.first {
            #expect(
                frame.width == expected.size.width && frame.height == expected.size.height,
                sourceLocation: sourceLocation)
            let packets = try await FFProbe.packets("v:0", of: file)
            if let frames = expected.frames { #expect(packets.count == frames, sourceLocation: sourceLocation) }
            #expect(packets.first?.ptsTime?.value == 0, sourceLocation: sourceLocation)
        }
        if expected.audio != nil {
            #expect(report.audio.first?.channels == expected.channels, sourceLocation: sourceLocation)
        }
        try await expectInfoAgrees(file, report, sourceLocation)
    }

    /// ffmpeg decodes all of it and says nothing, but that PCM in Matroska does not name its speakers.
    static func expectDecodes(_ file: String) async throws {
        let result = try await Tool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-i", file, "-map", "0:v?", "-map", "0:a?", "-fps_mode", "passthrough",
                "-enc_time_base", "-1", "-f", "null", "-",
            ])
        let words = result.errors.split(separator: "\n").filter { !$0.contains("Guessed Channel Layout") }
        #expect(result.status == 0 && words.isEmpty, "\(result)")
    }

    private static func expectInfoAgrees(_ file: String, _ report: FFProbe.Report, _ location: SourceLocation)
        async throws
    {
        struct Info: Decodable {
            struct Video: Decodable {
                var codec: String
                var codecTag: String
                var width: Int
                var height: Int
                var frameCount: Int
                var bitDepth: Int?
            }
            struct Audio: Decodable {
                var codec: String
                var channels: Int
                var sampleRate: Int
            }
            var container: String
            var complete: Bool
            var fragmented: Bool
            var duration: Double
            var size: Int
            var video: [Video]
            var audio: [Audio]
        }
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        #expect(result.status == 0, "\(result)", sourceLocation: location)
        let info = try JSONDecoder().decode(Info.self, from: result.output)
        #expect(info.complete && !info.fragmented, sourceLocation: location)
        #expect(info.container == FilePathEnding.of(file), sourceLocation: location)
        #expect(abs(info.duration - (report.format.duration?.value ?? 0)) < 0.06, sourceLocation: location)
        #expect(info.size == Int(report.format.size?.value ?? 0), sourceLocation: location)
        #expect(info.video.map(\.codec) == report.video.compactMap(\.codecName), sourceLocation: location)
        #expect(info.audio.map(\.codec) == report.audio.compactMap(\.codecName), sourceLocation: location)
        #expect(info.audio.map(\.channels) == report.audio.compactMap(\.channels), sourceLocation: location)
        if let frame = info.video.first, let packets = try? await FFProbe.packets("v:0", of: file) {
            #expect(frame.frameCount == packets.count, sourceLocation: location)
        }
    }
}

enum FilePathEnding {
    static func of(_ path: String) -> String { URL(filePath: path).pathExtension.lowercased() }
}
