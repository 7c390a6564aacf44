import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// What lies among the frames of a stream, or beside them, and is no frame: kept, or told to be left out; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct FrameMessageTests {
    /// ATSC A/53 part 4: two pairs of CEA-608.
    private static let captions: [UInt8] =
        [0xB5, 0x00, 0x31] + Array("GA94".utf8) + [0x03, 0x42, 0xFF, 0xFC, 0x94, 0x2C, 0xFC, 0x94, 0x2C, 0xFF]
    /// SMPTE ST 2094-40, as far as a parser reads the head of it.
    private static let dynamicLight: [UInt8] =
        [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01, 0x40, 0x00, 0x0C, 0x80, 0xD4, 0xB8] + Array(repeating: 0, count: 24)

    /// A bare stream with a message before each frame (ITU-T H.264 and H.265, annexes B and D).
    private static func insert(_ message: [UInt8], into stream: Data, isHEVC: Bool) -> Data {
        let unit = Data(
            (isHEVC ? [0x4E, 0x01] : [0x06]) + NALUnits.escaped([4, UInt8(message.count)] + message + [0x80]))
        let code = Data([0, 0, 1])
        var result = Data()
        var rest = stream[...]
        while let start = rest.range(of: code) {
            let end = rest.range(of: code, in: start.upperBound..<rest.endIndex)?.lowerBound ?? rest.endIndex
            let first = rest[start.upperBound]
            let begins = isHEVC ? first >> 1 & 0x3F < 32 : [1, 5].contains(first & 0x1F)
            if begins { result += code + unit }
            result += rest[start.lowerBound..<end]
            rest = rest[end...]
        }
        return result
    }

    private func make(_ message: [UInt8], isHEVC: Bool) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let (plain, told) = (folder.file("plain.bin"), folder.file("told.bin"))
        let codec =
            isHEVC
            ? ["libx265", "-pix_fmt", "yuv420p10le", "-x265-params", "bframes=0:slices=1:log-level=0", "-f", "hevc"]
            : ["libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-x264-params", "slices=1", "-f", "h264"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x128:r=25:d=1", "-c:v"] + codec + [plain])
        try Self.insert(message, into: Data(contentsOf: URL(filePath: plain)), isHEVC: isHEVC)
            .write(to: URL(filePath: told))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-framerate", "25", "-f", isHEVC ? "hevc" : "h264", "-i", told, "-c", "copy"]
                + (isHEVC ? ["-tag:v", "hvc1"] : []) + [folder.file("in.mp4")])
        return folder
    }

    private func sideData(_ path: String) async throws -> String {
        try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "frame=pts:frame_side_data=side_data_type", "-read_intervals"]
                + ["%+#3", path]
        ).text
    }

    private func export(
        _ folder: TemporaryFolder, _ preset: String, reencodes: Bool = true, to name: String = "out.mov"
    ) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        settings.reencodes = reencodes
        return try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)))).notes
    }

    @Test(arguments: ["h264", "hevc", "prores-422"], [false, true])
    func `closed captions are in the output, or a line says that they are not`(
        preset: String, isHEVC: Bool
    ) async throws {
        let folder = try await make(Self.captions, isHEVC: isHEVC)
        #expect(try await sideData(folder.file("in.mp4")).contains("Closed Captions"))
        let notes = try await export(folder, preset)
        let isKept = try await sideData(folder.file("out.mov")).contains("Closed Captions")
        #expect(notes.contains { $0.hasPrefix("Closed captions (CEA-608/708) ") } == !isKept, "\(notes)")
        #expect(preset != "prores-422" || !isKept)
    }

    @Test(
        arguments: [(12, "are left out with frames"), (50, "with frames that repeat"), (25, nil)] as [(Int, String?)])
    func `captions at another rate are told`(rate: Int, words: String?) async throws {
        let folder = try await make(Self.captions, isHEVC: false)
        var settings = MadeMovie.settings()
        settings.rate = Fraction(rate)
        let notes = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mov")))).notes
        let told = notes.filter { $0.hasPrefix("Closed captions (CEA-608/708) belong to frames of the input's rate: ") }
        #expect(told.count == (words == nil ? 0 : 1) && words.map { told[0].contains($0) } ?? true, "\(notes)")
    }

    @Test func `HDR10+ among the frames of HEVC is told where they are encoded again`() async throws {
        let folder = try await make(Self.dynamicLight, isHEVC: true)
        #expect(try await sideData(folder.file("in.mp4")).contains("SMPTE2094-40"))
        let notes = try await export(folder, "hevc-10bit")
        #expect(notes.contains { $0.hasPrefix("HDR10+ metadata among the frames") }, "\(notes)")
        let copied = try await export(folder, "copy", reencodes: false, to: "copy.mov")
        #expect(!copied.contains { $0.contains("HDR10+") }, "\(copied)")
    }

    @Test func `those of a movie that is drawn into another one are told`() async throws {
        let folder = try await make(Self.captions, isHEVC: false)
        let main = try await MadeMovie("main.mp4", "-c:v libx264 -c:a aac", seconds: 1)
        var composition = MovieComposition(main: FilePath(main.path), insets: [FilePath(folder.file("in.mp4"))])
        composition.alignment = .offset(.zero)
        let notes = try await ExportSession(composing: composition, settings: MadeMovie.settings())
            .export(to: MovieDestination(FilePath(folder.file("out.mp4")))).notes
        #expect(
            notes.contains("in.mp4: Closed captions (CEA-608/708) among the frames are left out."), "\(notes)")
    }

    @Test func `frames without either are told nothing of`() async throws {
        let movie = try await MadeMovie("in.mp4", "-c:v libx264 -an", seconds: 1)
        let notes = try await movie.export(MadeMovie.settings(), to: "out.mp4").notes
        #expect(!notes.contains { $0.contains("among the frames") }, "\(notes)")
    }

    /// In the description of the frames, which lies at the file's end with all that counts its bytes.
    @Test func `a clean aperture is told`() async throws {
        let movie = try await MadeMovie("in.mp4", "-c:v libx264 -an", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        func write(_ value: Int, at place: Int) {
            bytes.replaceSubrange(place..<place + 4, with: [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) })
        }
        let place = try #require(bytes.range(of: Data("avcC".utf8))).lowerBound - 4
        let numbers = [144, 1, 112, 1, 0, 1, 0, 1].flatMap { (value: Int) in
            [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
        }
        for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"] {
            let size = try #require(bytes.range(of: Data(name.utf8), options: .backwards, in: 0..<place)).lowerBound - 4
            write(bytes[size..<size + 4].reduce(0) { $0 << 8 | Int($1) } + 40, at: size)
        }
        bytes.insert(contentsOf: [0, 0, 0, 40] + Array("clap".utf8) + numbers, at: place)
        try bytes.write(to: URL(filePath: movie.path))
        for (name, settings) in [
            ("out.mp4", MadeMovie.settings()), ("out.mkv", MadeMovie.settings()),
            ("copy.mkv", ExportSettings(preset: "copy")),
        ] {
            let notes = try await movie.export(settings, to: name).notes
            #expect(notes.contains { $0.contains("144×112 of the frames' 160×120 pixels") }, "\(name): \(notes)")
        }
        let notes = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mov").notes
        #expect(!notes.contains { $0.contains("clean aperture") }, "\(notes)")
    }

    /// As a broadcaster's multiplex has them.
    @Test func `a further program of a transport stream is told by its number`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.ts")
        let sources = ["testsrc2=s=160x120:r=25:d=2", "sine=d=2", "testsrc=s=96x64:r=25:d=2", "sine=880:d=2"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + sources.flatMap { ["-f", "lavfi", "-i", $0] }
                + ["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264", "-c:a", "aac"]
                + ["-program", "title=One:st=0:st=1", "-program", "title=Two:st=2:st=3", input])
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.notes.contains { $0.hasPrefix("Program 2 (H.264, AAC) was left out: ") }, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("does not read it") }, "\(result.notes)")
        let video = try await FFProbe.inspect(folder.file("out.mp4")).video
        #expect(video.map(\.width) == [160])
    }

    @Test(arguments: [("flac", "mka"), ("mka", "mka"), ("mka", "m4a"), ("m4a", "m4a")], [(10.0, 11.0), (1.95, 5)])
    func `a part of audio in which nothing begins leaves no file, and says why`(
        kinds: (input: String, output: String), range: (start: Double, end: Double)
    ) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.file("in.\(kinds.input)"), folder.file("out.\(kinds.output)"))
        let codec = kinds.input == "flac" ? "flac" : kinds.output == "m4a" ? "aac" : "libopus"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-c:a", codec, input])
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: MediaTime(seconds: range.start), end: MediaTime(seconds: range.end))
        do {
            _ = try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(output)))
            // A last packet may begin there.
            #expect(range.start < 2)
            try await FFmpeg.decode(output)
        } catch {
            let words = "\(error)"
            #expect(words.contains("begins in the part") || words.contains("ends before the part begins"), "\(words)")
            #expect(folder.contents == ["in.\(kinds.input)"])
        }
    }

    @Test(arguments: ["mp4", "mkv"]) func `frames of QuickTime Animation that repeat have their own times`(
        ending: String
    ) async throws {
        let movie = try await MadeMovie("in.mov", "-vf fps=5,fps=25 -pix_fmt rgb24 -c:v qtrle -an", seconds: 2)
        let result = try await movie.export(MadeMovie.settings(), to: "out.\(ending)")
        #expect((result.duration - 2 * .second).length < 2 * .millisecond, "\(result.duration)")
        let times = try await FFProbe.frames("v:0", of: movie.folder.file("out.\(ending)")).compactMap(\.ptsTime?.value)
        #expect(times.count == 50 && times.enumerated().allSatisfy { abs($1 - Double($0) * 0.04) < 0.002 }, "\(times)")
    }
}
