import Encoding
import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Inputs that are cut off or whose row of frames is broken: what ffmpeg reads of them is there, and a line says what is not.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct CutOffInputTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let told = "The file is cut off, and what followed is missing; copy it again from its source."

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }
    private func write(_ bytes: Data, _ name: String) throws { try bytes.write(to: URL(filePath: folder.file(name))) }

    @Test(arguments: ["in.wav -c:a pcm_s16le", "in.wav -c:a pcm_s24le -rf64 always", "in.caf -c:a pcm_s16be"])
    func `PCM is exported and copied as far as it is there`(options: String) async throws {
        let words = options.split(separator: " ", maxSplits: 1).map(String.init)
        try await make(words[0], "-vn \(words[1])")
        let whole = try bytes(words[0])
        try write(whole.prefix(whole.count * 3 / 5), "cut-\(words[0])")
        let wanted = try await FFmpeg.audio(of: folder.file("cut-\(words[0])"), rate: 44_100)
        #expect(wanted.count > 70_000)
        for (preset, name) in [("h264", "out.wav"), ("copy", "out.mov")] {
            let notes = try await export("cut-\(words[0])", to: name, preset).notes
            #expect(try await FFmpeg.audio(of: folder.file(name), rate: 44_100) == wanted, "\(name)")
            #expect(notes.contains(Self.told), "\(notes)")
        }
        let notes = try await export(words[0], to: "whole.wav").notes
        #expect(notes.allSatisfy { !$0.contains("cut off") }, "\(notes)")
    }

    @Test(arguments: [
        ("in.mp4", "-bf 2 -c:a aac -movflags +faststart"), ("in.mov", "-c:a pcm_s16le -movflags +faststart"),
        ("frag.mp4", "-g 10 -c:a aac -movflags +frag_keyframe+empty_moov"), ("in.mkv", "-g 10 -c:a aac"),
    ])
    func `a movie is exported and copied as far as it is there`(name: String, options: String) async throws {
        try await make(name, "\(Self.fast) \(options)")
        let whole = try bytes(name)
        try write(whole.prefix(whole.count * 3 / 5), "cut-\(name)")
        let input = "cut-\(name)"
        let wanted = try await counted(input)
        #expect(wanted.frames > 20 && wanted.frames < 85)
        for (preset, name) in [("h264", "out.mp4"), ("copy", "copy.mov"), ("copy", "copy.mkv")] {
            let notes = try await export(input, to: name, preset).notes
            #expect(notes.contains(Self.told), "\(notes)")
            let found = try await counted(name)
            // A frame that is cut through is decoded there, as far as it is there.
            #expect((wanted.frames - 1...wanted.frames).contains(found.frames), "\(name), \(notes)")
            #expect(abs(found.audio - wanted.audio) <= 2048, "\(name): \(found.audio) of \(wanted.audio), \(notes)")
        }
    }

    /// Of pages, blocks and elements that say their own lengths, in files that do not.
    @Test(arguments: [
        ("in.opus", "-vn -c:a libopus"), ("in.ogg", "-vn -c:a libvorbis"), ("in.ogv", "-c:v libtheora -c:a libvorbis"),
        ("in.voc", "-vn -c:a pcm_s16le"), ("in.aac", "-vn -c:a aac"), ("in.aac", "-vn -c:a aac -write_id3v2 1"),
        ("in.webm", "-c:v libvpx -deadline realtime -c:a libopus -live 1"),
    ])
    func `what says only how long its parts are is told to end within one`(name: String, options: String) async throws {
        try await make(name, options)
        let whole = try bytes(name)
        // Where no part of any of them ends.
        try write(whole.prefix(whole.count * 3 / 5 - 3), "cut-\(name)")
        let hasVideo = name == "in.ogv" || name == "in.webm"
        for (input, isCutOff) in [("cut-\(name)", true), (name, false)] {
            let output = "\(input).\(hasVideo ? "mkv" : "wav")"
            let notes = try await export(input, to: output, hasVideo ? "copy" : "h264").notes
            #expect(notes.contains(Self.told) == isCutOff, "\(input): \(notes)")
            let (found, wanted) = try await (decoded(output), decoded(input))
            #expect(found.audio >= wanted.audio - 2048, "\(found) of \(wanted)")
            if hasVideo { #expect(found.frames >= wanted.frames, "\(found) of \(wanted)") }
        }
    }

    @Test(arguments: ["out.mov", "out.mkv"]) func `a chapter behind the end is told`(name: String) async throws {
        try await make("plain.mp4", "\(Self.fast) -c:a aac")
        try Data(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=2\ntitle=A\n[CHAPTER]\nTIMEBASE=1/1\nSTART=2\nEND=3\ntitle=B\n"
                .utf8
        )
        .write(to: URL(filePath: folder.file("chapters.txt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-v", "error", "-i", folder.file("plain.mp4"), "-i", folder.file("chapters.txt"), "-map_metadata", "1"]
                + ["-c", "copy", "-movflags", "+faststart", folder.file("in.mp4")])
        let whole = try bytes("in.mp4")
        try write(whole.prefix(whole.count * 2 / 5), "cut.mp4")
        let note = "The chapter “B” is left out: it begins after the movie's end."
        #expect(try await export("cut.mp4", to: name, "copy").notes.contains(note))
        #expect(try await !export("in.mp4", to: "whole-\(name)", "copy").notes.contains(note))
    }

    @Test func `subtitles among the data of a Flash video are told`() async throws {
        try Data("1\n00:00:00,000 --> 00:00:00,500\nOne\n\n".utf8).write(to: URL(filePath: folder.file("a.srt")))
        try await make("in.flv", "-map 0:v \(Self.fast)")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-v", "error", "-i", folder.file("in.flv"), "-i", folder.file("a.srt"), "-c:v", "copy", "-c:s", "text"]
                + [folder.file("text.flv")])
        let note = "Subtitles (text among Flash video's data) were left out: nothing here reads them."
        #expect(try await export("text.flv", to: "text.mkv", "copy").notes.contains(note))
        #expect(try await !export("in.flv", to: "out.mkv", "copy").notes.contains(note))
    }

    /// What ffmpeg decodes, whatever it says of the end.
    private func counted(_ name: String) async throws -> (frames: Int, audio: Int) {
        let input = ["-nostdin", "-v", "quiet", "-i", folder.file(name)]
        let frames = try await Tool.run(
            "ffmpeg", input + ["-map", "0:v", "-fps_mode", "passthrough", "-f", "framecrc", "-"])
        let audio = try await Tool.run("ffmpeg", input + ["-map", "0:a", "-ac", "1", "-f", "s16le", "-"])
        return (frames.text.split(separator: "\n").count { !$0.hasPrefix("#") }, audio.output.count / 2)
    }

    @Test func `a movie that is still being written is refused`() async throws {
        try await make("in.mp4", "\(Self.fast) -movflags +faststart")
        let whole = try bytes("in.mp4")
        try write(whole.prefix(whole.count * 3 / 5), "cut.mp4")
        let writer = try FileDescriptor.open(FilePath(folder.file("cut.mp4")), .writeOnly)
        let error = await #expect(throws: RushesError.self) { try await export("cut.mp4") }
        try writer.close()
        #expect(error?.description.contains("is still being written") == true, "\(error as Any)")
        _ = try await export("cut.mp4")
    }

    @Test func `TTA is exported as far as it is there, and how much is missing is told`() async throws {
        try await make("in.tta", "-vn -c:a tta")
        let whole = try bytes("in.tta")
        try write(whole.prefix(whole.count / 2), "cut.tta")
        let judged = try await decoded("cut.tta").audio
        let notes = try await export("cut.tta", to: "out.wav").notes
        #expect(try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100).count == judged && judged > 44_100)
        #expect(notes.contains { $0.contains("s before the input, which lasts 3.0") }, "\(notes)")
        _ = try await export("in.tta", to: "whole.wav")
        let wanted = try await FFmpeg.audio(of: folder.file("in.tta"), rate: 44_100)
        #expect(try await FFmpeg.audio(of: folder.file("whole.wav"), rate: 44_100) == wanted)
    }

    /// As a recording of a radio station begins. What is left of the cut frame has bytes that look like the head of another.
    @Test(arguments: [19, 56, 130, 241, 352]) func `MP3 without its beginning is read from its first whole frame on`(
        cut: Int
    ) async throws {
        try await make("in.mp3", "-vn -c:a libmp3lame -write_xing 0")
        try write(try bytes("in.mp3").dropFirst(cut), "cut.mp3")
        let wanted = try await FFmpeg.audio(of: folder.file("cut.mp3"), rate: 44_100)
        #expect(wanted.count > 120_000)
        for (preset, name) in [("h264", "out.wav"), ("copy", "out.mka")] {
            let notes = try await export("cut.mp3", to: name, preset).notes
            let count = try await FFmpeg.audio(of: folder.file(name), rate: 44_100).count
            // ffmpeg decodes a first frame that needs one before it to silence, and the copy of it alike.
            #expect(abs(count - wanted.count) <= 1152, "\(name): \(count) of \(wanted.count), \(notes)")
            #expect(
                notes.contains {
                    $0.hasSuffix("bytes at the beginning are not a whole frame of audio and were left out.")
                })
        }
    }

    /// The kind of file that is told and the one that is found differ then: which of them came first was chance, and so was the output.
    @Test func `MP3 without its beginning behind a tag is copied as MP3, each time`() async throws {
        try await make("in.mp3", "-vn -c:a libmp3lame -write_xing 0")
        let tag = Data("ID3".utf8) + Data([3, 0, 0, 0, 0, 1, 0]) + Data(count: 128)
        try write(tag + (try bytes("in.mp3").dropFirst(130)), "cut.mp3")
        let wanted = try await FFmpeg.audio(of: folder.file("cut.mp3"), rate: 44_100)
        for attempt in 1...4 {
            let notes = try await export("cut.mp3", to: "out\(attempt).mka", "copy").notes
            let output = folder.file("out\(attempt).mka")
            #expect(try await FFProbe.inspect(output).audio.map(\.codecName) == ["mp3"], "\(notes)")
            #expect(abs(try await FFmpeg.audio(of: output, rate: 44_100).count - wanted.count) <= 1152, "\(notes)")
        }
    }

    @Test func `zeros before the first frame of MP3 are no loss`() async throws {
        try await make("in.mp3", "-vn -c:a libmp3lame -write_xing 0")
        try write(Data(count: 417) + (try bytes("in.mp3")), "padded.mp3")
        let notes = try await export("padded.mp3", to: "out.wav").notes
        #expect(notes.allSatisfy { !$0.contains("bytes at the beginning") }, "\(notes)")
        let wanted = try await FFmpeg.audio(of: folder.file("in.mp3"), rate: 44_100).count
        #expect(abs(try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100).count - wanted) <= 1152)
    }

    @Test func `how much the last frame of MP3 lacks is told`() async throws {
        try await make("in.mp3", "-vn -c:a libmp3lame")
        let whole = try bytes("in.mp3")
        try write(whole.dropLast(100), "cut.mp3")
        let notes = try await export("cut.mp3", to: "out.wav").notes
        #expect(
            notes.contains("The file is cut off: its last frame of audio lacks 100 bytes and was left out."), "\(notes)"
        )
        let others = try await export("in.mp3", to: "whole.wav").notes
        #expect(others.allSatisfy { !$0.contains("cut off") }, "\(others)")
    }

    /// Each lies where the one before it ends, and nothing else tells where that is.
    @Test(arguments: [("cut", 20), ("inserted", 75), ("missing", 74)])
    func `raw DV goes on behind what is no frame`(kind: String, frames: Int) async throws {
        let size = 144_000
        try await make("in.dv", size: "720x576", rate: 25, "-ar 48000 -ac 2 -c:v dvvideo")
        let whole = try bytes("in.dv")
        #expect(whole.count == 75 * size)
        let place = 10 * size
        let broken =
            switch kind {
            case "cut": whole.prefix(20 * size + 5000)
            case "inserted": whole.prefix(place) + Data(repeating: 7, count: 3000) + whole.suffix(from: place)
            default: whole.prefix(place) + whole.suffix(from: place + 5000)
            }
        try write(broken, "broken.dv")
        let scan = try #require(try DVScan(reading: FilePath(folder.file("broken.dv"))))
        #expect(scan.isCutOff == (kind == "cut") && scan.damage.count == (kind == "cut" ? 0 : 1))
        for (preset, name) in [("h264", "out.mov"), ("copy", "copied.mov")] {
            let result = try await export("broken.dv", to: name, preset)
            #expect(result.frames == frames, "\(result.frames)")
            let line = kind == "cut" ? Self.told : "at 0.40 s, are damaged and were left out; what follows is there."
            #expect(result.notes.contains { $0.hasSuffix(line) }, "\(result.notes)")
        }
        #expect(try DVScan(reading: FilePath(folder.file("in.dv")))?.omitted.isEmpty == true)
    }
}
