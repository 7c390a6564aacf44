import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// What files of other programs have: it is in the output, or a line says what is missing.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ForeignLossTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ffmpeg(_ words: [String]) async throws {
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + words)
    }

    /// In dB, on average, as ffmpeg measures it.
    private func volume(_ name: String) async throws -> Double {
        let result = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "info", "-i", folder.file(name), "-map", "0:a", "-af", "volumedetect", "-f", "null",
                "-",
            ])
        let text = result.errors.components(separatedBy: "mean_volume: ").last ?? ""
        return try #require(Double(text.prefix { !$0.isWhitespace }), "\(result.errors)")
    }

    @Test(arguments: [1, 2, 4]) func `Speex of several frames a packet in Flash video is decoded as a whole`(
        count: Int
    ) async throws {
        try await make("in.flv", "\(Self.fast) -c:a libspeex -ar 16000 -ac 1 -frames_per_packet \(count)")
        for name in ["out.mov", "out.m4a"] {
            let result = try await export("in.flv", to: name)
            #expect(!result.notes.contains { $0.contains("silence") }, "\(name): \(result.notes)")
            // The tone's own: of several frames in a packet ffmpeg decodes the first alone, too.
            #expect(try await abs(volume(name) + 21.1) < 0.6, "\(name): \(result.notes)")
        }
    }

    /// ffmpeg's own seek begins with frames that need the key frame before.
    @Test(arguments: ["mkv", "flv"]) func `frames before the first key frame are told, and no others`(
        ending: String
    ) async throws {
        try await make("whole.mkv", "\(Self.fast) -g 30 -bf 0 -sc_threshold 0 -c:a aac")
        try await ffmpeg(
            ["-i", folder.file("whole.mkv"), "-ss", "0.5", "-c", "copy", "-copyinkf", folder.file("in.\(ending)")])
        let result = try await export("in.\(ending)", to: "out.mp4")
        let shown = try await decoded("out.mp4").frames
        let lost = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets"]
                + ["-of", "csv=p=0", folder.file("in.\(ending)")])
        let count = try #require(Int(lost.text.prefix(while: \.isNumber))) - shown
        let words = result.notes.filter { $0.contains("key frame") || $0.contains("missing") }
        #expect(
            words
                == (count > 0
                    ? [
                        "The \(count) frames before the first key frame need others that the input does not have, and are left out."
                    ] : []),
            "\(count): \(result.notes)")
    }

    @Test func `chapters behind the end of a Matroska file that is cut off are told`() async throws {
        let list =
            [";FFMETADATA1"]
            + [(0, "One"), (1000, "Two"), (2900, "Three")].flatMap {
                ["[CHAPTER]", "TIMEBASE=1/1000", "START=\($0.0)", "END=\($0.0 + 50)", "title=\($0.1)"]
            }
        try Data(list.joined(separator: "\n").utf8).write(to: URL(filePath: folder.file("list.txt")))
        try await make("a.mkv", "\(Self.fast) -g 15 -c:a aac")
        try await ffmpeg(
            ["-i", folder.file("a.mkv"), "-i", folder.file("list.txt"), "-map_chapters", "1", "-c", "copy"]
                + ["-cluster_time_limit", "300", folder.file("in.mkv")])
        let bytes = try Data(contentsOf: URL(filePath: folder.file("in.mkv")))
        try bytes[..<(bytes.count * 3 / 5)].write(to: URL(filePath: folder.file("in.mkv")))
        for name in ["out.mov", "out.mp4", "out.mkv"] {
            let result = try await export("in.mkv", to: name, "copy")
            let words = "The chapter “Three” is left out: it begins after the movie's end."
            #expect(result.notes.count { $0 == words } == 1, "\(name): \(result.notes)")
            let told = try await Tool.succeed("ffprobe", ["-v", "error", "-show_chapters", folder.file(name)]).text
            #expect(told.components(separatedBy: "[CHAPTER]").count == 3, "\(name): \(told)")
        }
    }

    @Test(arguments: [("copy", "out.mp4"), ("copy", "out.mov"), ("h264", "out.mp4")])
    func `all images among the attachments of Matroska are covers of the movie`(
        preset: String, name: String
    ) async throws {
        for (file, color) in [("back.jpg", "blue"), ("cover.jpg", "red")] {
            try await ffmpeg(["-f", "lavfi", "-i", "color=\(color):size=64x64", "-frames:v", "1", folder.file(file)])
        }
        try await make(
            "in.mkv",
            "\(Self.fast) -c:a aac -attach \(folder.file("back.jpg")) -attach \(folder.file("cover.jpg"))"
                + " -metadata:s:t mimetype=image/jpeg")
        let result = try await export("in.mkv", to: name, preset)
        #expect(!result.notes.contains { $0.contains("attachments") }, "\(result.notes)")
        let made = try Data(contentsOf: URL(filePath: folder.file(name)))
        // The front cover stands first.
        var place = made.startIndex
        for file in ["cover.jpg", "back.jpg"] {
            let image = try Data(contentsOf: URL(filePath: folder.file(file)))
            place = try #require(made[place...].firstRange(of: image), "\(file)").upperBound
        }
        #expect(try await MusicReport.inspect(folder.file(name)).covers.first == "mjpeg")
    }

    @Test(arguments: [("copy", "out.mp4"), ("copy", "out.mkv"), ("h264", "out.mp4")])
    func `video that a transport stream names and does not have is told`(preset: String, name: String) async throws {
        try await make("in.ts", "\(Self.fast) -c:a aac")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("in.ts")))
        let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<min(bytes.count, $0 + 188)] }
        // ffmpeg's first stream has the number 256; the clock that goes with it stays.
        var clocks = 0
        let left = packets.compactMap { packet -> Data? in
            let bytes = Array(packet)
            guard bytes[1] & 0x1F == 1, bytes[2] == 0 else { return packet }
            guard bytes[3] & 0x20 != 0, bytes[4] > 6, bytes[5] & 0x10 != 0 else { return nil }
            clocks += 1
            return Data([0x47, 0x01, 0x00, 0x20, 183, 0x10] + bytes[6..<12] + Array(repeating: 0xFF, count: 176))
        }
        #expect(clocks > 0 && left.count < packets.count)
        try Data(left.joined()).write(to: URL(filePath: folder.file("in.ts")))
        let result = try await export("in.ts", to: name, preset)
        #expect(result.notes.count { $0.contains("(H.264) was left out: ") } == 1, "\(result.notes)")
        let samples = try await decoded(name).audio
        #expect(abs(samples - 3 * 44_100) < 3000, "\(samples)")
        #expect(try await FFProbe.inspect(folder.file(name)).video.isEmpty)
    }

    @Test(arguments: ["ogg", "flac"]) func `ReplayGain and what is no date are kept`(ending: String) async throws {
        try await ffmpeg(
            ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", ending == "ogg" ? "libvorbis" : "flac"]
                + ["-metadata", "DATE=Spring of 99", "-metadata", "REPLAYGAIN_TRACK_GAIN=-3.20 dB"]
                + ["-metadata", "TITLE=Song", folder.file("in.\(ending)")])
        for name in ["out.flac", "out.mka", "out.opus"] {
            _ = try await export("in.\(ending)", to: name)
            let text = try await Tool.succeed(
                "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", folder.file(name)]
            ).text
            for word in ["=Spring of 99", "REPLAYGAIN_TRACK_GAIN=-3.20 dB", "=Song"] {
                #expect(text.contains(word), "\(name): \(text)")
            }
        }
        var settings = ExportSettings(preset: "h264")
        settings.loudness = -20
        _ = try await ExportSession(input: FilePath(folder.file("in.\(ending)")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("loud.mka"))))
        let text = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", folder.file("loud.mka")]
        ).text
        #expect(!text.contains("REPLAYGAIN") && text.contains("=Song"), "\(text)")
    }
}
