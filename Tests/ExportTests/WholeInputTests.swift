import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What the input names is in the output, or a line names it: inputs made by ffmpeg, compared with its decoding of them.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct WholeInputTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["\(fast) -c:a aac", "-c:v flv -c:a mp3"])
    func `Flash video keeps video and audio, whichever the demuxer names first`(codecs: String) async throws {
        try await make("in.flv", codecs)
        for attempt in 0..<3 {
            let name = "out\(attempt).mov"
            #expect(try await export("in.flv", to: name).frames == 90)
            let report = try await FFProbe.inspect(folder.file(name))
            #expect(report.video.count == 1 && report.audio.count == 1)
            #expect(abs((report.audio.first?.duration?.value ?? 0) - 3) < 0.06)
        }
    }

    @Test func `Speex, which no reader knows in Matroska, is not copied there`() async throws {
        try await make("in.ogg", "-map 1:a -ar 16000 -c:a libspeex")
        await #expect(throws: RushesError.self) { _ = try await export("in.ogg", to: "out.mka", "copy") }
        _ = try await export("in.ogg", to: "out.mka", audio: .codec(.flac))
        #expect(try await abs(decoded("out.mka").audio - decoded("in.ogg").audio) <= 640)
    }

    @Test func `FLAC that is cut off says how much is missing`() async throws {
        try await make("in.flac", "-map 1:a -c:a flac")
        let whole = try await export("in.flac", to: "whole.wav").notes
        #expect(whole.allSatisfy { !$0.contains("before the input") }, "\(whole)")
        let bytes = try Data(contentsOf: URL(filePath: folder.file("in.flac")))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: folder.file("half.flac")))
        for name in ["half.wav", "half.m4a"] {
            let lines = try await export("half.flac", to: name).notes
            #expect(lines.contains { $0.contains("s before the input, which lasts 3.00 s") }, "\(lines)")
        }
    }

    /// As sox and arecord leave it where they write into a pipe, or are killed.
    @Test(arguments: [0x7FFF_FFFF, 0x8000_0024, 0x7FFF_F024] as [UInt32])
    func `WAV whose sizes are placeholders is read to its end`(size: UInt32) async throws {
        try await make("in.wav", "-map 1:a -c:a pcm_s16le -bitexact")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.wav")))
        withUnsafeBytes(of: size.littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
        withUnsafeBytes(of: (size - 36).littleEndian) { bytes.replaceSubrange(40..<44, with: $0) }
        try bytes.write(to: URL(filePath: folder.file("piped.wav")))
        guard size != 0x7FFF_F024 else {
            // A length that somebody may have meant.
            let notes = try await export("piped.wav", to: "cut.wav").notes
            #expect(notes.contains { $0.hasPrefix("The file is cut off") }, "\(notes)")
            return
        }
        _ = try await export("piped.wav", to: "out.wav", audio: .codec(.pcm))
        #expect(try await decoded("out.wav").audio == 3 * 44_100)
    }

    @Test func `raw DV keeps its frame`() async throws {
        try await make("in.dv", size: "720x576", rate: 25, "-target pal-dv")
        _ = try await export("in.dv")
        #expect(try await decoded("out.mov").frames == 75)
        #expect(try await FFProbe.inspect(folder.file("out.mov")).audio.count == 1)
    }

    @Test func `fields of which the lower ones come first make as many frames as there are`() async throws {
        try await make(
            "in.mkv", rate: 60, "-vf tinterlace=interleave_bottom -c:v mpeg2video -flags +ildct+ilme -top 0 -c:a aac")
        _ = try await export("in.mkv")
        #expect(try await decoded("out.mov").frames == 90)
    }

    @Test func `audio of a transport stream that GStreamer has no word for is decoded, and of a copy named in a line`()
        async throws
    {
        // As DTS-UHD is called, which libavformat goes by its content for.
        try await make("dts.ts", "\(Self.fast) -c:a dca -strict -2 -ar 48000")
        let made = try Data(contentsOf: URL(filePath: folder.file("dts.ts")))
        try Data(MisnamedStreams.applied(to: Array(made), calling: 0x82, 0x88))
            .write(to: URL(filePath: folder.file("in.ts")))
        let result = try await export("in.ts")
        #expect(result.frames == 90 && result.notes.allSatisfy { !$0.contains("left out") }, "\(result.notes)")
        #expect(abs(Double(try await decoded("out.mov").audio) / 48_000 - 3) < 0.1)
        let copied = try await export("in.ts", to: "copied.mkv", "copy")
        #expect(copied.frames == 90)
        #expect(copied.notes.contains { $0.contains("DTS") && $0.contains("left out") }, "\(copied.notes)")
    }

    @Test func `a transport stream that begins with something else, and has it among its packets, keeps its tracks`()
        async throws
    {
        try await make("whole.ts", "-c:v mpeg2video -c:a mp2")
        let whole = try Data(contentsOf: URL(filePath: folder.file("whole.ts")))
        // As where a broadcast was disturbed.
        var bytes = Data((0..<155).map { UInt8($0) })
        for (number, start) in stride(from: 0, to: whole.count, by: 188).enumerated() {
            bytes += whole[start..<start + 188]
            if number % 400 == 399 { bytes += Data((0..<155).map { UInt8($0) }) }
        }
        try bytes.write(to: URL(filePath: folder.file("in.ts")))
        let result = try await export("in.ts")
        #expect(try await FFProbe.inspect(folder.file("out.mov")).audio.count == 1)
        let (input, output) = (try await decoded("whole.ts"), try await decoded("out.mov"))
        #expect(result.frames == output.frames && output.frames >= input.frames - 5, "\(output) \(input)")
        #expect(output.audio > input.audio * 9 / 10, "\(output) \(input)")
    }

    @Test func `an input whose frames nothing reads is refused, not exported as audio`() async throws {
        try await make("in.mp4", "\(Self.fast) -c:a aac")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp4")))
        // A codec that nobody has.
        let place = try #require(bytes.firstRange(of: Data("avc1".utf8), in: 100..<bytes.count))
        bytes.replaceSubrange(place, with: Data("xyz1".utf8))
        try bytes.write(to: URL(filePath: folder.file("in.mp4")))
        await #expect(throws: (any Error).self) { try await export("in.mp4") }
        #expect(folder.contents == ["in.mp4"])
    }

    @Test func `audio of AAC is kept to its last packet`() async throws {
        try await make("in.mp4", "\(Self.fast) -c:a aac")
        _ = try await export("in.mp4", audio: .codec(.pcm))
        let (input, output) = (try await decoded("in.mp4"), try await decoded("out.mov"))
        #expect(output.frames == input.frames)
        // 3 seconds; ffmpeg hands out the rest of the last packet too, which the edit list leaves out.
        #expect(abs(output.audio - 132_300) <= 1)
        #expect(input.audio >= output.audio)
    }

    @Test(arguments: [("mp4", "mov"), ("mov", "mp4"), ("mp4", "mkv")])
    func `what ffmpeg has cut without encoding is exported whole`(input: String, output: String) async throws {
        try await make("whole.\(input)", "\(Self.fast) -g 45 -c:a aac")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "1.3", "-i", folder.file("whole.\(input)"), "-c", "copy"]
                + [folder.file("in.\(input)")])
        _ = try await export("in.\(input)", to: "out.\(output)")
        let (theirs, ours) = (try await decoded("in.\(input)"), try await decoded("out.\(output)"))
        #expect(ours.frames == theirs.frames)
        // ffmpeg ignores where an edit ends, by a packet at most; ours ends with a packet too.
        #expect(abs(ours.audio - theirs.audio) <= 2048, "\(ours.audio) of \(theirs.audio)")
    }

    @Test(
        arguments: Cases.taken(
            of: [
                ("mkv", "mov"), ("mkv", "mkv"), ("mp4", "mkv"), ("mp4", "mp4"), ("mov", "mov"), ("ts", "mp4"),
                ("ts", "mkv"),
            ], most: 3))
    func `tracks that are encoded keep their languages`(input: String, output: String) async throws {
        // ffmpeg writes only the Macintosh's languages into QuickTime.
        let second = input == "mov" ? "jpn" : "gsw"
        let two = "-map 0:v -map 1:a -map 1:a -metadata:s:a:0 language=ger -metadata:s:a:1 language=\(second)"
        try await make("in.\(input)", "\(two) \(Self.fast) -c:a aac")
        _ = try await export("in.\(input)", to: "out.\(output)")
        let told = try await FFProbe.inspect(folder.file("out.\(output)")).audio.map { $0.tags?["language"] ?? "none" }
        // ISO 639-2 has two codes for German; Matroska takes the one, QuickTime the other.
        #expect(told == [output == "mkv" ? "ger" : "deu", second])
    }

    @Test func `copied audio of which the demuxer does not say how long packets last keeps its last one`() async throws
    {
        try await make("in.flv", "\(Self.fast) -c:a aac")
        _ = try await export("in.flv", "copy")
        #expect(try await packets("in.flv") == packets("out.mov"))
        #expect(try await decoded("in.flv").audio == decoded("out.mov").audio)
    }

    @Test(arguments: ["mov", "mkv"])
    func `audio that begins before the frame of a transport stream is copied from its first packet on`(
        ending: String
    ) async throws {
        try await make("in.ts", "\(Self.fast) -c:a aac")
        _ = try await export("in.ts", to: "out.\(ending)", "copy")
        #expect(try await packets("in.ts") == packets("out.\(ending)"))
    }

    private func packets(_ name: String) async throws -> Int? {
        let text = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "a:0", "-count_packets", "-show_entries", "stream=nb_read_packets"]
                + ["-of", "default=nw=1:nk=1", folder.file(name)]
        ).text
        return text.split(separator: "\n").first.flatMap { Int($0) }
    }

    @Test func `a movie of which an edit list hides the first frames keeps them in a copy to Matroska, and says so`()
        async throws
    {
        try await make("whole.mp4", "\(Self.fast) -g 30 -c:a aac")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-ss", "1.3", "-i", folder.file("whole.mp4"), "-c", "copy",
                folder.file("in.mp4"),
            ])
        let result = try await export("in.mp4", to: "out.mkv", "copy")
        // From the key frame on, nine frames before the first one that the input shows.
        #expect(try await decoded("out.mkv").frames == decoded("in.mp4").frames + 9)
        #expect(result.notes.contains { $0.contains("0.30 s before") })
    }

    @Test(arguments: ["mov", "mp4"])
    func `AAC of 96 kHz loses nothing at its beginning`(ending: String) async throws {
        try await make("in.mkv", "\(Self.fast) -c:a flac -ar 96000")
        _ = try await export("in.mkv", to: "out.\(ending)", audio: .codec(.aac))
        let audio = try #require(try await FFProbe.inspect(folder.file("out.\(ending)")).audio.first)
        #expect(audio.sampleRate?.value == 96_000)
        #expect(try await decoded("out.\(ending)").audio >= 3 * 96_000)
    }

    @Test func `a time code in the frames becomes a track of QuickTime`() async throws {
        try await make("in.mxf", rate: 25, "-c:v mpeg2video -timecode 10:11:12:13 -ar 48000 -c:a pcm_s16le")
        #expect(try await export("in.mxf").frames == 75)
        try await expectTimeCode("10:11:12:13", in: "out.mov")
    }

    @Test func `the time code of raw DV becomes a track of QuickTime`() async throws {
        try await make("in.dv", size: "720x576", rate: 25, "-timecode 03:04:05:06 -target pal-dv")
        _ = try await export("in.dv")
        try await expectTimeCode("03:04:05:06", in: "out.mov")
    }

    @Test func `a track of time codes is kept where frames are encoded, and where all is copied`() async throws {
        try await make("in.mov", rate: 25, "\(Self.fast) -timecode 01:02:03:04 -c:a aac")
        _ = try await export("in.mov", to: "new.mov")
        _ = try await export("in.mov", to: "copy.mov", "copy")
        for name in ["new.mp4", "copy.mp4"] {
            let notes = try await export("in.mov", to: name, name == "copy.mp4" ? "copy" : "h264").notes
            #expect(!notes.contains { $0.contains("time code") })
        }
        for name in ["new.mov", "copy.mov", "new.mp4", "copy.mp4"] { try await expectTimeCode("01:02:03:04", in: name) }
        for preset in ["h264", "copy"] {
            let other = try await export("in.mov", to: "\(preset).mkv", preset)
            #expect(!other.notes.contains { $0.contains("tmcd") || $0.contains("time code") }, "\(other.notes)")
            #expect(try await FFProbe.inspect(folder.file("\(preset).mkv")).format.tags?["TIMECODE"] == "01:02:03:04")
        }
        // ffmpeg reads the number of the sample, whatever an edit says.
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: .second)
        _ = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("part.mov"))))
        try await expectTimeCode("01:02:04:04", in: "part.mov")
    }

    @Test func `the time code of copied parts is that of the first frame, and so it is of all that is made of them`()
        async throws
    {
        try await make("in.mov", rate: 25, "\(Self.fast) -timecode 01:00:00:00 -c:a aac")
        func parts(of name: String, to output: String, _ ranges: [(Int, Int)]) async throws {
            var settings = ExportSettings(preset: "copy")
            settings.parts = ranges.map { TimeRange(start: $0 * .millisecond, end: $1 * .millisecond) }
            _ = try await ExportSession(input: FilePath(folder.file(name)), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(output))))
        }
        func timeCode(_ name: String) throws -> String? {
            try TimeCode.first(in: FilePath(folder.file(name)))?.description
        }
        try await parts(of: "in.mov", to: "parts.mov", [(1000, 2000), (0, 1000)])
        #expect(try timeCode("parts.mov") == "01:00:01:00")
        _ = try await export("parts.mov", to: "new.mov")
        try await expectTimeCode("01:00:01:00", in: "new.mov")
        // Of a part, whose own edit counts from the first one's.
        try await parts(of: "parts.mov", to: "part.mov", [(400, 1000), (0, 200)])
        #expect(try timeCode("part.mov") == "01:00:01:10")
    }

    private func expectTimeCode(_ code: String, in name: String) async throws {
        let report = try await FFProbe.inspect(folder.file(name))
        let track = report.streams.first { $0.codecTagString == "tmcd" }
        #expect(track?.tags?["timecode"] == code, "\(name)")
        #expect(report.video.first?.tags?["timecode"] == code, "\(name)")
        #expect(try TimeCode.first(in: FilePath(folder.file(name)))?.description == code)
        try await FFmpeg.decode(folder.file(name))
    }
}
