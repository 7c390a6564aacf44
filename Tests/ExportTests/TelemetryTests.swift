import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// What action cameras and phones measure while they record, beside video that is encoded. ffprobe reads the outputs.
@Suite(.timeLimit(.minutes(3)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TelemetryTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeInput(_ name: String, shift: UInt32 = 0, format: String = "gpmd") async throws {
        try await make(name, Self.fast + " -g 30 -c:a aac")
        try MadeTelemetry.add(to: folder.file(name), seconds: 3 + Int(shift), format: format, shift: shift)
    }

    private func export(
        _ input: String, to name: String, preset: String = "h264", _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        settings.reencodes = preset != "copy"
        change(&settings)
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// The data packets with their times, in seconds, by their numbers; what ffprobe calls them.
    private func packets(_ name: String) async throws -> (tag: String?, [Int: Double]) {
        let probe = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "d", "-show_packets", "-show_data", "-show_streams", "-of", "json"]
                + [folder.file(name)])
        struct Answer: Decodable {
            struct Packet: Decodable {
                var pts_time: String
                var size: String
                var data: String
            }
            struct Stream: Decodable { var codec_tag_string: String }
            var packets: [Packet]
            var streams: [Stream]
        }
        let answer = try JSONDecoder().decode(Answer.self, from: probe.output)
        var found: [Int: Double] = [:]
        for packet in answer.packets {
            #expect(packet.size == "108")
            // The first line of a hex dump: "00000000: 4445 5643 0000 0002 …".
            let words = try #require(packet.data.split(separator: "\n").first).split(separator: " ")
            #expect(words[1] == "4445" && words[2] == "5643")
            let number = try #require(Int(words[3] + words[4], radix: 16))
            found[number] = Double(packet.pts_time)
        }
        return (answer.streams.first?.codec_tag_string, found)
    }

    @Test(arguments: ["h264", "copy"]) func `it is kept, packet by packet`(preset: String) async throws {
        try await makeInput("in.mp4")
        let result = try await export("in.mp4", to: "out.mp4", preset: preset)
        let (tag, packets) = try await packets("out.mp4")
        #expect(tag == "gpmd" && packets == [0: 0, 1: 1, 2: 2], "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("data track") }, "\(result.notes)")
        #expect(try await decoded("out.mp4").frames == 90)
    }

    @Test func `it counts where a size is aimed at`() async throws {
        try await makeInput("in.mp4")
        let result = try await export("in.mp4", to: "out.mp4") { $0.targetSize = 60_000 }
        #expect(try await packets("out.mp4").1 == [0: 0, 1: 1, 2: 2], "\(result.notes)")
        #expect(result.size <= 60_000, "\(result.notes)")
    }

    @Test func `edits of its own are followed`() async throws {
        try await makeInput("in.mp4", shift: 2)
        let result = try await export("in.mp4", to: "out.mp4")
        #expect(try await packets("out.mp4").1.filter { $0.value >= 0 } == [2: 0, 3: 1, 4: 2], "\(result.notes)")
    }

    @Test func `a part has its own packets, at its times`() async throws {
        try await makeInput("in.mp4")
        let result = try await export("in.mp4", to: "out.mp4") {
            $0.range = TimeRange(start: 1500 * .millisecond, end: 2500 * .millisecond)
        }
        // The first is under way when the part begins.
        #expect(try await packets("out.mp4").1 == [1: 0, 2: 0.5], "\(result.notes)")
    }

    @Test func `it is left out where nobody wants it, or nothing holds it`() async throws {
        try await makeInput("in.mp4")
        let stripped = try await export("in.mp4", to: "stripped.mp4") { $0.stripsMetadata = true }
        #expect(try await packets("stripped.mp4").1.isEmpty, "\(stripped.notes)")
        for name in ["out.mov", "out.mkv"] {
            let result = try await export("in.mp4", to: name)
            #expect(result.notes.contains { $0.contains("A data track") && $0.contains("gpmd") }, "\(result.notes)")
            #expect(try await packets(name).1.isEmpty)
        }
        let parts = try await export("in.mp4", to: "parts.mp4") {
            $0.parts = [TimeRange(end: 1 * .second), TimeRange(start: 2 * .second)]
        }
        #expect(parts.notes.contains { $0.contains("A data track") }, "\(parts.notes)")
    }
}
