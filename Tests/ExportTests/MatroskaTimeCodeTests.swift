import Encoding
import Export
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// The time code that a tag of Matroska tells, through exports; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct MatroskaTimeCodeTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func codes(_ name: String) async throws -> [String?] {
        let report = try await FFProbe.inspect(folder.file(name))
        let track = report.streams.first { $0.codecTagString == "tmcd" }
        return [report.video.first?.tags?["timecode"], track?.tags?["timecode"]]
    }

    @Test(arguments: [
        ("25", "-metadata timecode=00:00:00:00", "00:00:00:00"),
        ("25", "-metadata:s:v timecode=10:11:12:13", "10:11:12:13"),
        ("30000/1001", "-metadata timecode=00:59:59;29", "00:59:59;29"),
    ])
    func `becomes a track`(rate: String, options: String, code: String) async throws {
        try await make("in.mkv", "-vf fps=\(rate) \(Self.fast) \(options) -c:a aac")
        for preset in ["copy", "h264"] {
            for ending in ["mov", "mp4"] {
                let notes = try await export("in.mkv", to: "\(preset).\(ending)", preset).notes
                let told = try await codes("\(preset).\(ending)")
                #expect(told == [code, code], "\(preset).\(ending): \(notes)")
                #expect(try TimeCode.first(in: FilePath(folder.file("\(preset).\(ending)")))?.description == code)
                try await FFmpeg.decode(folder.file("\(preset).\(ending)"))
            }
        }
        #expect(try MovieInfo(readingMatroska: FilePath(folder.file("in.mkv")))?.timecode == code)
    }

    @Test func `stays a tag, also where frames are encoded, and of a part is that of its first frame`() async throws {
        try await make("in.mkv", "\(Self.fast) -metadata timecode=10:11:12:13 -c:a aac")
        _ = try await export("in.mkv", to: "copy.mkv", "copy")
        #expect(try MovieInfo(readingMatroska: FilePath(folder.file("copy.mkv")))?.timecode == "10:11:12:13")
        let notes = try await export("in.mkv", to: "new.mkv", "h264").notes
        #expect(!notes.contains { $0.contains("time code") }, "\(notes)")
        #expect(try MovieInfo(readingMatroska: FilePath(folder.file("new.mkv")))?.timecode == "10:11:12:13")
        var settings = ExportSettings(preset: "h264")
        settings.range = TimeRange(start: .second)
        _ = try await ExportSession(input: FilePath(folder.file("in.mkv")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("part.mkv"))))
        #expect(try await FFProbe.inspect(folder.file("part.mkv")).format.tags?["TIMECODE"] == "10:11:13:13")
    }

    @Test func `of a track in the middle of a movie it counts from there`() async throws {
        try await make("in.mkv", rate: 25, "\(Self.fast) -metadata timecode=10:00:00:00 -c:a aac")
        var settings = ExportSettings(preset: "h264")
        settings.range = TimeRange(start: .second)
        _ = try await ExportSession(input: FilePath(folder.file("in.mkv")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("part.mov"))))
        #expect(try await codes("part.mov") == ["10:00:01:00", "10:00:01:00"])
    }
}
