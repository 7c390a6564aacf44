import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Files that were put behind each other, cut off or damaged: what comes of them, and what is told.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct PutTogetherTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }
    private func write(_ bytes: Data, _ name: String) throws { try bytes.write(to: URL(filePath: folder.file(name))) }

    /// What a description of the file says.
    private func appended(_ path: FilePath) throws -> AppendedMovie? {
        (try MovieInfo(readingMatroska: path) ?? MovieInfo(contentsOf: path)).appended
    }

    /// A tone of two seconds.
    private func tone(_ name: String, _ options: String) async throws {
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2:sample_rate=48000"]
                + Tool.words(options))
    }

    @Test(arguments: ["mkv", "mp4", "mov"])
    func `a movie behind another one in its file is told, and the first is whole`(ending: String) async throws {
        try await make("in.\(ending)", "\(Self.fast) -c:a aac")
        let movie = try bytes("in.\(ending)")
        try write(movie + movie, "two.\(ending)")
        let path = FilePath(folder.file("two.\(ending)"))
        let other = try #require(try appended(path))
        #expect(Int(other.offset) == movie.count && Int(other.size) == movie.count)
        #expect(abs((other.duration ?? 0) - 3) < 0.1)
        #expect(try appended(FilePath(folder.file("in.\(ending)"))) == nil)
        for (preset, output) in [("copy", "out.mkv"), ("copy", "out.mp4"), ("h264", "copied.mp4"), ("hevc", "out.mov")]
        {
            var settings = ExportSettings(preset: preset)
            settings.verification = .full
            let result = try await ExportSession(input: path, settings: settings)
                .export(to: MovieDestination(FilePath(folder.file("\(preset)-\(output)"))))
            #expect(result.notes.count { $0.contains("Another movie follows") } == 1, "\(result.notes)")
            #expect(result.frames == 90 && abs(result.duration.seconds - 3) < 0.1, "\(preset) \(output)")
            #expect(result.notes.allSatisfy { !$0.contains("missing") && !$0.contains("silence") }, "\(result.notes)")
        }
        let whole = try await export("in.\(ending)", to: "whole.mkv", "copy")
        #expect(whole.notes.allSatisfy { !$0.contains("Another movie") }, "\(whole.notes)")
    }

    @Test func `AVI behind another one is told, and what continues one is none`() async throws {
        try await make("in.avi", "-c:v mpeg4 -c:a mp2")
        let movie = try bytes("in.avi")
        try write(movie + movie, "two.avi")
        let other = try #require(try AppendedMovie(readingAVI: FilePath(folder.file("two.avi"))))
        #expect(Int(other.offset) == movie.count && Int(other.size) == movie.count)
        #expect(abs((other.duration ?? 0) - 3) < 0.001)
        let result = try await export("two.avi", to: "out.mov")
        #expect(result.frames == 90, "\(result.frames)")
        #expect(result.notes.count { $0.contains("Another movie follows") } == 1, "\(result.notes)")
        try write(movie + Data("RIFF\u{4}\0\0\0AVIX".utf8), "continued.avi")
        for name in ["in.avi", "continued.avi"] {
            #expect(try AppendedMovie(readingAVI: FilePath(folder.file(name))) == nil)
        }
    }

    @Test(arguments: [
        "mxf -ar 48000 -c:v mpeg2video -c:a pcm_s16le", "ogv -c:v libtheora -c:a libvorbis", "flac -vn -c:a flac",
        "caf -vn -c:a pcm_s16be",
    ])
    func `other files behind another one are told, and the first is whole`(options: String) async throws {
        let words = options.split(separator: " ", maxSplits: 1).map(String.init)
        let (name, ending) = ("in.\(words[0])", words[0])
        try await make(name, rate: 25, words[1])
        let movie = try bytes(name)
        try write(movie + movie, "two.\(ending)")
        let wanted = try await decoded(name)
        for (preset, output) in [("copy", "copied.mkv"), ("h264", "out.mov")] {
            let result = try await export("two.\(ending)", to: output, preset)
            let line = "(\(movie.count) bytes"
            #expect(
                result.notes.count { $0.hasPrefix("Another movie follows") && $0.contains(line) } == 1,
                "\(result.notes)")
            let made = try await decoded(output)
            #expect(words[1].contains("-vn") || made.frames == wanted.frames, "\(made) \(wanted)")
            #expect(abs(made.audio - wanted.audio) < 3000, "\(made) \(wanted)")
            #expect(result.notes.allSatisfy { !$0.contains("missing") && !$0.contains("silence") }, "\(result.notes)")
        }
        let whole = try await export(name, to: "whole.mkv", "copy").notes
        #expect(whole.allSatisfy { !$0.hasPrefix("Another movie follows") }, "\(whole)")
    }

    @Test(arguments: ["-c:a libvorbis", "-c:a libopus", "-c:a flac", "-ar 32000 -c:a libspeex"])
    func `a chain of Ogg audio is there in full`(options: String) async throws {
        try await make("in.ogg", "-vn \(options)")
        let audio = try bytes("in.ogg")
        try write(audio + audio, "two.ogg")
        #expect(try OggChain(reading: FilePath(folder.file("two.ogg")))?.isOneStream == true)
        #expect(try OggChain(reading: FilePath(folder.file("in.ogg"))) == nil)
        let (wanted, result) = (try await decoded("two.ogg").audio, try await export("two.ogg", to: "out.wav"))
        #expect(try await decoded("out.wav").audio == wanted && result.duration.seconds > 5.9, "\(result.notes)")
        let copied = try await export("two.ogg", to: "out.mka", "copy")
        #expect(
            copied.duration.seconds > 5.9 && copied.notes.contains { $0.contains("was decoded") }, "\(copied.notes)")
    }

    /// What was cut out of a longer stream without being numbered anew, as radio is recorded.
    @Test func `what is behind the first in a chain lasts as long as it does`() async throws {
        try await make("in.ogg", "-vn -c:a libvorbis")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "2", "-i", folder.file("in.ogg"), "-c", "copy", "-copyts"]
                + [folder.file("late.ogg")])
        let wanted = try #require(try await FFProbe.inspect(folder.file("late.ogg")).format.duration?.value)
        let whole = try #require(try await FFProbe.inspect(folder.file("in.ogg")).format.duration?.value)
        try write(try bytes("in.ogg") + (try bytes("late.ogg")), "two.ogg")
        let chain = try #require(try OggChain(reading: FilePath(folder.file("two.ogg"))))
        let told = try #require(chain.appended.duration)
        #expect(wanted < whole - 0.5 && abs(told - wanted) < 0.03, "\(told) \(wanted) \(whole)")
    }

    /// One decoder takes no other rate, and no other codec.
    @Test func `a chain of unlike Ogg audio is told`() async throws {
        try await tone("a.ogg", "-c:a libvorbis")
        try await tone("b.ogg", "-ar 32000 -c:a libvorbis")
        try write(try bytes("a.ogg") + (try bytes("b.ogg")), "two.ogg")
        let result = try await export("two.ogg", to: "out.wav")
        #expect(abs(result.duration.seconds - 2) < 0.05, "\(result.duration)")
        #expect(result.notes.contains { $0.contains("Another movie follows") && $0.contains(", 2.00 s)") })
    }

    /// Nothing completes it, and GStreamer's demuxer gives less of what is there.
    @Test(arguments: [0.6, 0.95]) func `AVI that is cut off gives what others read of it, and says so`(part: Double)
        async throws
    {
        try await make("in.avi", "-c:v mpeg4 -c:a mp2")
        let movie = try bytes("in.avi")
        try write(movie.prefix(Int(Double(movie.count) * part)), "cut.avi")
        let judged = try await decoded("cut.avi")
        let result = try await export("cut.avi", to: "out.mov")
        #expect(result.frames == judged.frames && judged.frames > 40, "\(result.frames), not \(judged.frames)")
        #expect(result.notes.contains { $0.hasPrefix("The file is cut off, and what followed is missing") })
        await #expect(throws: RushesError.self) { _ = try await export("cut.avi", to: "copied.mkv", "copy") }
        try write(movie, "whole.avi")
        #expect(try await export("whole.avi", to: "whole.mov").notes.allSatisfy { !$0.contains("cut off") })
    }

    @Test func `a movie in fragments with its index before each of them is one movie`() async throws {
        try await make("in.mp4", "\(Self.fast) -c:a aac -movflags empty_moov+frag_keyframe")
        let movie = try bytes("in.mp4")
        let end = try #require(movie.firstRange(of: Data("moof".utf8))).lowerBound - 4
        try write(movie + movie[..<end], "again.mp4")
        #expect(try appended(FilePath(folder.file("again.mp4"))) == nil)
        // What follows begins again, and is shown behind the first.
        try write(movie + movie, "two.mp4")
        let result = try await export("two.mp4")
        #expect(result.frames == 180 && result.duration.seconds > 5.9, "\(result.duration) \(result.notes)")
        #expect(result.notes.allSatisfy { !$0.contains("before the input") }, "\(result.notes)")
    }

    @Test(arguments: [("-ar 48000", "-ar 44100"), ("-ac 1 -ar 44100", "-ac 2 -ar 44100")])
    func `MP3 of another kind behind a tag is there, and told`(first: String, second: String) async throws {
        try await tone("a.mp3", "\(first) -c:a libmp3lame -metadata title=One")
        try await tone("b.mp3", "\(second) -c:a libmp3lame -metadata title=Two")
        try write(try bytes("a.mp3") + (try bytes("b.mp3")), "two.mp3")
        let result = try await export("two.mp3", to: "out.wav")
        #expect(abs(result.duration.seconds - 4) < 0.2, "\(result.duration)")
        #expect(result.notes.contains { $0.contains("the audio is of another kind") }, "\(result.notes)")
        #expect(result.notes.allSatisfy { !$0.contains("before the input") && !$0.contains("silence") })
        // The second half is the tone that it was: 440 Hz cross zero upwards as often a second.
        let samples = try await FFmpeg.audio(of: folder.file("out.wav"), rate: 48_000).suffix(72_000).prefix(48_000)
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((437...443).contains(crossings), "\(crossings)")
        let copied = try await export("two.mp3", to: "out.mkv", "copy")
        #expect(copied.notes.contains { $0.contains("s before the input, which lasts 4.") }, "\(copied.notes)")
        let whole = try await export("a.mp3", to: "whole.wav")
        #expect(whole.notes.allSatisfy { !$0.contains("input") && !$0.contains("kind") }, "\(whole.notes)")
    }

    @Test func `Flash video goes on behind what is damaged, and says so where it is cut off`() async throws {
        try await make("in.flv", "\(Self.fast) -g 10 -c:a aac -ar 44100")
        let movie = try bytes("in.flv")
        var broken = movie
        broken.resetBytes(in: movie.count / 2..<movie.count / 2 + 3000)
        try write(broken, "broken.flv")
        let result = try await export("broken.flv")
        #expect(result.duration.seconds > 2.9, "\(result.duration)")
        #expect(result.notes.contains { $0.contains("bytes of frames and audio, at 1.") }, "\(result.notes)")
        try write(movie.prefix(movie.count * 3 / 5), "cut.flv")
        let cut = try await export("cut.flv", to: "cut.mov").notes
        #expect(cut.contains { $0.contains("s before the input, which lasts 3.0") && $0.contains("cut off") }, "\(cut)")
        try write(movie + movie, "two.flv")
        let two = try await export("two.flv", to: "two.mov")
        #expect(two.frames == 180 && two.duration.seconds > 5.9, "\(two.duration)")
        for lines in [two.notes, try await export("in.flv", to: "whole.mov").notes] {
            #expect(lines.allSatisfy { !$0.contains("input") && !$0.contains("damaged") }, "\(lines)")
        }
    }

    @Test func `Windows Media that is cut off says how much is missing`() async throws {
        try await make("in.wmv", "-c:v wmv2 -c:a wmav2")
        let movie = try bytes("in.wmv")
        try write(movie.prefix(movie.count * 3 / 5), "cut.wmv")
        let cut = try await export("cut.wmv", to: "cut.mov").notes
        #expect(cut.contains { $0.contains("s before the input, which lasts 3.0") && $0.contains("cut off") }, "\(cut)")
        let whole = try await export("in.wmv", to: "whole.mov").notes
        #expect(whole.allSatisfy { !$0.contains("before the input") }, "\(whole)")
    }

    @Test func `gaps of audio are told with their length and place`() async throws {
        try await make("in.mkv", "\(Self.fast) -af aselect='not(between(t,1,1.4))' -c:a pcm_s16le")
        let result = try await export("in.mkv")
        #expect(
            result.notes.contains { $0.hasPrefix("0.39 s of audio track 1, from 1.02 s on, are silence") },
            "\(result.notes)")
        try await make("whole.mkv", "\(Self.fast) -c:a pcm_s16le")
        let whole = try await export("whole.mkv", to: "whole.mov").notes
        #expect(whole.allSatisfy { !$0.contains("silence") }, "\(whole)")
    }

    @Test(arguments: ["in.mkv", "in.flv"])
    func `frames that a decoder leaves out are counted in any container`(name: String) async throws {
        try await make(name, "\(Self.fast) -bf 0 -an")
        var movie = try bytes(name)
        let packets = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0"]
                + [folder.file(name)])
        let lines = packets.text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
        for line in lines[40..<43] {
            try #require(line.count == 2)
            let (size, position) = (line[0], line[1])
            // The first unit's length, big-endian, before what fills the packet.
            let start = try #require(
                (position..<position + 64).first { place in
                    movie[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + 4 == size
                })
            movie.resetBytes(in: start + 4..<start + size)
        }
        try write(movie, "bad-\(name)")
        let result = try await export("bad-\(name)")
        #expect(result.frames < 90)
        #expect(
            result.notes.contains { $0.contains("\(90 - result.frames) of the input's 90 frames are missing") },
            "\(result.notes)")
        let whole = try await export(name, to: "whole.mov").notes
        #expect(whole.allSatisfy { !$0.contains("missing") }, "\(whole)")
    }

    @Test(
        arguments: Cases.taken(
            of: [
                "in.webm -c:v libvpx -b:v 300k -auto-alt-ref 1 -lag-in-frames 16",
                "in.webm -c:v libvpx-vp9 -b:v 300k -auto-alt-ref 1 -lag-in-frames 16 -row-mt 1",
                "in.ogv -c:v libtheora",
                "in.mpg -c:v mpeg2video -bf 2", "in.ts -c:v libx264 -bf 3 -x264-params open-gop=1",
                "in.mkv -c:v libx265 -preset ultrafast -x265-params log-level=error",
                "in.mkv -c:v libaom-av1 -cpu-used 8",
                "in.avi -c:v libx264 -bf 2", "in.avi -c:v mpeg4 -bf 2",
            ], most: 4))
    func `nothing is missing of a file that is whole`(options: String) async throws {
        let words = options.split(separator: " ", maxSplits: 1).map(String.init)
        try await make(words[0], "\(words[1]) -an")
        let result = try await export(words[0])
        #expect(result.frames == 90 && result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
    }
}
