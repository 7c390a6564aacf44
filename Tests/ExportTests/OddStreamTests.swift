import Export
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Workarounds

/// Streams whose demuxer or parser in GStreamer (1.22) gives other times, shapes or lengths than the file: judged by ffprobe and ffmpeg.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct OddStreamTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ name: String, _ entries: String) async throws -> [String] {
        let words = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", folder.file(name)]
        return try await Tool.succeed("ffprobe", words).text.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test(arguments: ["rv10", "rv20"]) func `RealVideo is shown when the file says`(codec: String) async throws {
        try await make("made.rm", size: "160x96", "-map 0:v -c:v \(codec)")
        let data = try MadeReal.slowed(Data(contentsOf: URL(filePath: folder.file("made.rm"))))
        try data.write(to: URL(filePath: folder.file("in.rm")))
        #expect(try await export("in.rm").frames == 90)
        let last = try await probe("out.mov", "packet=pts_time").compactMap { Double($0.filter { $0 != "," }) }.max()
        // 89 thirtieths, twice as slow.
        #expect(try abs(#require(last) - 5.933) < 0.01)
    }

    @Test func `Sipro in packets of several lengths is not GStreamer's`() throws {
        for (size, isMisread) in [(20, true), (320, false)] {
            #expect(MisreadStreams.contain(try Caps("audio/x-sipro,packet_size=\(size)")) == isMisread)
        }
    }

    @Test(arguments: ["out.mkv", "out.mov"]) func `copied DV keeps its shape where AVI does not tell it`(
        output: String
    ) async throws {
        try await make("in.avi", size: "720x576", rate: 25, "-map 0:v -t 0.4 -c:v dvvideo -aspect 16:9")
        var data = try Data(contentsOf: URL(filePath: folder.file("in.avi")))
        let told = try #require(data.firstRange(of: Data("vprp".utf8)))
        data.replaceSubrange(told, with: Data("JUNK".utf8))
        try data.write(to: URL(filePath: folder.file("in.avi")))
        _ = try await export("in.avi", to: output, "copy")
        #expect(try await probe(output, "stream=sample_aspect_ratio,display_aspect_ratio") == ["64:45,16:9"])
    }

    @Test(arguments: ["out.flac", "out.mka"]) func `FLAC in blocks of several lengths is copied as long as it is`(
        output: String
    ) async throws {
        try await make("short.flac", "-map 1:a -t 1 -frame_size 1152 -c:a flac")
        try await make("long.flac", "-map 1:a -t 1 -frame_size 4096 -c:a flac")
        let data = try await MadeFLAC.variable(folder.file("short.flac"), folder.file("long.flac"))
        try data.write(to: URL(filePath: folder.file("in.flac")))
        #expect(try await decoded("in.flac").audio == 88_200)
        let result = try await export("in.flac", to: output, "copy")
        #expect(!result.notes.contains { $0.contains("ends") }, "\(result.notes)")
        #expect(try await decoded(output).audio == 88_200)
        #expect(try abs(#require(await probe(output, "format=duration").first.flatMap(Double.init)) - 2) < 0.002)
        let times = try await probe(output, "packet=pts_time").compactMap { Double($0.filter { $0 != "," }) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
    }

    @Test func `FLAC whose head does not say how long it is lasts as long as its frames`() async throws {
        try await make("in.flac", "-map 1:a -c:a flac")
        var data = try Data(contentsOf: URL(filePath: folder.file("in.flac")))
        data.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        try data.write(to: URL(filePath: folder.file("in.flac")))
        #expect(FLACStreamInfo.duration(of: FilePath(folder.file("in.flac")))?.seconds == 3)
        let result = try await export("in.flac", to: "out.wav")
        #expect(!result.notes.contains { $0.contains("before the input") }, "\(result.notes)")
        #expect(try await decoded("out.wav").audio == 132_300)
    }

    @Test(arguments: ["aiff", "au", "w64", "flac"]) func `a file of audio that is cut off is called so`(
        ending: String
    ) async throws {
        try await make("whole.\(ending)", "-map 1:a -t 1 -ar 44100")
        let data = try Data(contentsOf: URL(filePath: folder.file("whole.\(ending)")))
        try data.prefix(data.count * 2 / 3).write(to: URL(filePath: folder.file("in.\(ending)")))
        for (name, isTold) in [("whole", false), ("in", true)] {
            let notes = try await export("\(name).\(ending)", to: "\(name).wav").notes
            #expect(notes.contains { $0.contains("file is cut off") } == isTold, "\(name): \(notes)")
        }
    }

    @Test func `a tag in the Macintosh's letters is kept`() async throws {
        try await make("in.mov", "-map 0:v -t 0.2 \(Self.fast) -metadata title=MXllerstr")
        var data = try Data(contentsOf: URL(filePath: folder.file("in.mov")))
        let text = try #require(data.firstRange(of: Data("MXllerstr".utf8))).lowerBound
        data[text + 1] = 0x9F
        // The code of English.
        data.replaceSubrange(text - 2..<text, with: [0, 0])
        try data.write(to: URL(filePath: folder.file("in.mov")))
        _ = try await export("in.mov", to: "out.mp4")
        #expect(try await probe("out.mp4", "format_tags=title") == ["Müllerstr"])
    }
}
