import Encoding
@testable import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What tracks are for beside being played, through exports; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TrackRoleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A video, two audio tracks, and, in Matroska and MP4, subtitles.
    private func make(_ name: String, _ roles: [String]) async throws {
        try "1\n00:00:00,100 --> 00:00:00,600\nOne\n".write(
            toFile: folder.file("in.srt"), atomically: true, encoding: .utf8)
        var words = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1"]
        for frequency in [440, 880] { words += ["-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=1"] }
        words += ["-map", "0", "-map", "1", "-map", "2"]
        if !name.hasSuffix("ts") {
            let text = name.hasSuffix("mp4") ? "mov_text" : "srt"
            words = Array(words.prefix(words.count - 6)) + ["-i", folder.file("in.srt")] + words.suffix(6)
            words += ["-map", "3", "-c:s", text]
        }
        for (index, role) in roles.enumerated() { words += ["-disposition:\(index + 1)", role] }
        _ = try await Tool.succeed(
            "ffmpeg",
            words + [
                "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata:s:a", "language=ger",
                folder.file(name),
            ])
    }

    private func export(_ input: String, to output: String, _ preset: String) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        settings.reencodes = preset != "copy"
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    private struct Report: Decodable {
        struct Stream: Decodable { var disposition: [String: Int] }
        var streams: [Stream]
    }

    /// All that a file's tracks are said to be.
    private func roles(_ name: String) async throws -> [Set<String>] {
        let output = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-of", "json", "-show_entries", "stream_disposition", folder.file(name)]
        ).output
        return try JSONDecoder().decode(Report.self, from: output).streams.map { stream in
            Set(stream.disposition.filter { $0.value != 0 }.keys)
        }
    }

    @Test(arguments: Cases.taken(of: ["mkv", "mp4"], ["mkv", "mp4", "mov"], most: 3))
    func `are kept where the container has words for them`(from: String, to: String) async throws {
        let wanted: [Set<String>] = [["dub", "hearing_impaired"], ["comment", "visual_impaired"], ["forced"]]
        try await make("in.\(from)", wanted.map { $0.sorted().joined(separator: "+") })
        for preset in ["h264", "copy"] {
            let notes = try await export("in.\(from)", to: "\(preset).\(to)", preset)
            let roles = try await roles("\(preset).\(to)")
            #expect(roles.count == 4)
            #expect(
                zip(roles.dropFirst(), wanted).allSatisfy { $0.isSuperset(of: $1) }, "\(preset): \(roles), \(notes)")
            #expect(!notes.contains { $0.contains("no place for what") }, "\(notes)")
            try await FFmpeg.decode(folder.file("\(preset).\(to)"))
        }
    }

    @Test func `are told where the container has none`() async throws {
        try await make("in.mkv", ["original", "default", "default"])
        for (output, container) in [("out.mp4", "MP4"), ("out.mov", "QuickTime")] {
            for preset in ["h264", "copy"] {
                let notes = try await export("in.mkv", to: "\(preset)-\(output)", preset)
                #expect(
                    notes.contains {
                        $0.hasPrefix("\(container) has no place for what") && $0.contains("the original language")
                    },
                    "\(preset): \(notes)")
            }
        }
        #expect(!(try await export("in.mkv", to: "out.mkv", "h264")).contains { $0.contains("no place") })
        #expect(try await roles("out.mkv")[1].contains("original"))
    }

    @Test(arguments: ["mkv", "mp4"]) func `are read from the tables of a transport stream`(to: String) async throws {
        try await make("in.ts", ["hearing_impaired", "visual_impaired"])
        for preset in ["h264", "copy"] {
            _ = try await export("in.ts", to: "\(preset).\(to)", preset)
            let roles = try await roles("\(preset).\(to)")
            #expect(roles[1].contains("hearing_impaired") && roles[2].contains("visual_impaired"), "\(roles)")
        }
    }

    /// As French television sends it, whose receivers take the first code for that of nobody's language.
    @Test func `say the language where supplementary audio has it`() {
        let language: [UInt8] = [0x0A, 4, 0x71, 0x61, 0x64, 0]
        let supplementary: [UInt8] = [0x7F, 5, 0x06, 0x85, 0x66, 0x72, 0x61]
        let told = TrackAttributes(transport: language + supplementary)
        #expect(told.language == TrackLanguage("fra") && told.roles == .visuallyImpaired)
        #expect(TrackAttributes(transport: language + [0x7F, 2, 0x06, 0x84]).language == nil)
    }
}
