import Foundation
import TestSupport
import Testing

/// Recordings of audio alone: the name's ending decides, and no camera is opened.
@Suite(.timeLimit(.minutes(25)), .turn) struct AudioAloneTests {
    private static let tone = ["--microphone", "test:frequency=1000,volume=0.5", "--progress", "none"]

    struct Kind: Sendable, CustomTestStringConvertible {
        var file: String
        var codec: String
        var options: [String] = []
        /// Whether ffmpeg's decoder gives each sample and no other; of AAC it gives the last packet to its end.
        var isExact = true
        var bits: Int?
        var testDescription: String { ([file] + options).joined(separator: " ") }
    }

    private static let kinds = [
        Kind(file: "voice.m4a", codec: "aac", isExact: false),
        Kind(file: "voice.m4a", codec: "alac", options: ["--audio", "alac"], bits: 24),
        Kind(file: "voice.m4a", codec: "alac", options: ["--audio", "alac", "--bit-depth", "16"], bits: 16),
        Kind(file: "voice.wav", codec: "pcm_s24le", bits: 24),
        Kind(file: "voice.wav", codec: "pcm_s16le", options: ["--bit-depth", "16"]),
        Kind(file: "voice.flac", codec: "flac", bits: 24),
        Kind(file: "voice.flac", codec: "flac", options: ["--bit-depth", "16"], bits: 16),
        Kind(file: "voice.mp3", codec: "mp3"),
        Kind(file: "voice.mka", codec: "opus", isExact: false),
        Kind(file: "voice.mka", codec: "flac", options: ["--audio", "flac"]),
    ]

    /// GStreamer's encoder of Opus (1.22) has an order of its own for five.
    @Test(arguments: Cases.taken(of: [("a.flac", 6), ("a.mka", 5), ("a.mka", 6), ("a.wav", 6), ("a.m4a", 6)], most: 2))
    func `each of many channels stays where it was`(file: String, channels: Int) async throws {
        let folder = try TemporaryFolder()
        let layouts = [5: "5.0", 6: "5.1"]
        let tones = (0..<channels).map { "sin(2*PI*\(400 + 100 * $0)*t)*0.3" }.joined(separator: "|")
        let source = folder.file("source.wav")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + ["aevalsrc=\(tones):s=48000:d=20:c=\(layouts[channels] ?? "")", source])
        let microphone = "gst:filesrc location=\(source) ! wavparse ! identity sync=true"
        let path = try await Takes.record(
            file, in: folder,
            ["--duration", "1.5", "--channels", "\(channels)", "--audio"] + [Self.codecs[file] ?? "pcm"],
            sources: ["--microphone", microphone, "--progress", "none"])
        #expect(try await FFProbe.inspect(path).audio.first?.channels == channels)
        // AAC keeps only what is low of the low frequency channel.
        for channel in 0..<channels where !(file == "a.m4a" && channel == 3) {
            let audio = try await FFmpeg.audio(of: path, rate: 48_000, channel: channel)
            let tone = ToneAnalysis(audio.dropFirst(9600).dropLast(9600).map { $0 }, rate: 48_000)
            #expect(abs(tone.frequency - Double(400 + 100 * channel)) < 5, "channel \(channel): \(tone.frequency)")
        }
    }

    private static let codecs = ["a.flac": "flac", "a.mka": "opus", "a.m4a": "aac"]

    @Test(arguments: Cases.taken(of: kinds)) func `the file holds the tone, as long as asked for, and nothing else`(
        kind: Kind
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(
            kind.file, in: folder, ["--duration", "1.5", "--channels", "2"] + kind.options, sources: Self.tone)
        let report = try await FFProbe.inspect(file)
        #expect(report.video.isEmpty)
        #expect(report.audio.map(\.codecName) == [kind.codec])
        #expect(report.audio.first?.channels == 2)
        #expect(report.audio.first?.sampleRate?.value == 48_000)
        // Matroska's last packet counts as long as a full one, and ffprobe counts all of MP3's frames.
        let tolerance = ["voice.mka", "voice.mp3"].contains(kind.file) ? 0.1 : 0.001
        #expect(abs((report.format.duration?.value ?? 0) - 1.5) < tolerance)
        if let bits = kind.bits { #expect(try await Self.bits(of: file) == bits) }
        try await expectSilentDecoding(file)
        let audio = try await FFmpeg.audio(of: file, rate: 48_000, channel: 0)
        #expect(kind.isExact ? audio.count == 72_000 : abs(audio.count - 72_000) < 1000, "\(audio.count)")
        let tone = ToneAnalysis(audio.dropFirst(4800).dropLast(4800).map { $0 }, rate: 48_000)
        #expect(abs(tone.frequency - 1000) < 2)
        let wanted = 0.5 / 2.0.squareRoot()
        #expect(abs(20 * log10(tone.level / wanted)) < 0.3, "\(tone.level)")
        #expect(tone.longestSilence < 0.001)

        let result = try await BuiltCommand.rushes.run(["info", file])
        #expect(result.status == 0, "\(result)")
        #expect(result.text.contains("audio    \(kind.codec)"), "\(result)")
        #expect(!result.text.contains("unfinished"), "\(result)")
    }

    private static func bits(of file: String) async throws -> Int? {
        let result = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=bits_per_raw_sample,bits_per_sample", "-of", "csv=p=0", file])
        return result.text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }.max()
    }

    /// Not even WAV's speakers are guessed.
    private func expectSilentDecoding(_ file: String) async throws {
        let result = try await Tool.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", file, "-f", "null", "-"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }

    @Test func `title, date and place are in the file as far as it has words for them`() async throws {
        let folder = try TemporaryFolder()
        let tags = [
            "--title", "Tägliche Aufnahme", "--artist", "Ada", "--date", "2026-11-21T14:03:22+01:00", "--location",
            "+48.8577+002.295/", "--duration", "0.5",
        ]
        for name in ["voice.m4a", "voice.wav", "voice.flac", "voice.mp3", "voice.mka"] {
            let file = try await Takes.record(name, in: folder, tags, sources: Self.tone)
            let format = try await FFProbe.inspect(file).format.tags ?? [:]
            let told = Dictionary(format.map { ($0.lowercased(), $1) }) { first, _ in first }
            #expect(told["title"] == "Tägliche Aufnahme", "\(name): \(told)")
            #expect(told["artist"] == "Ada", "\(name): \(told)")
            let dates = told.filter { $0.key.contains("date") || $0.key.contains("time") }.values
            #expect(dates.contains { $0.hasPrefix("2026-11-21") }, "\(name): \(told)")
            if name == "voice.wav" {
                #expect(told["creation_time"] == "14:03:22")
                // Samples since midnight.
                #expect(told["time_reference"] == "2428896000")
            }
            if ["voice.m4a", "voice.flac", "voice.mp3"].contains(name) {
                #expect(told.values.contains { $0.hasPrefix("+48.8577") }, "\(name): \(told)")
            }
        }
        #expect(try await ExifTool.inspect(folder.file("voice.m4a"))["MajorBrand"]?.contains("M4A") == true)
    }

    @Test(arguments: Cases.taken(of: ["voice.m4a", "voice.wav", "voice.flac", "voice.mp3", "voice.mka"], most: 2))
    func `what is left of a killed recorder plays, lacks at most a second, and is recovered`(name: String) async throws
    {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record"] + Self.tone + ["--json", name], folder: folder.path)
        var reached = 0.0
        for await line in take.lines {
            reached = try Event(line).state.mediaTime ?? 0
            if reached >= 2.5 { break }
        }
        take.signal(SIGKILL)
        _ = try await take.result(within: .seconds(60))
        let left = try await FFmpeg.audio(of: folder.file(name), rate: 48_000, channel: 0)
        #expect(Double(left.count) / 48_000 > reached - 1, "told \(reached) s, left \(left.count) samples")

        let result = try await BuiltCommand.rushes.run(["recover", name], folder: folder.path)
        // The head is written anew twice a second: just behind that it lacks nothing.
        let isWhole = result.status == 1 && result.errors.contains("already complete")
        #expect(result.status == 0 || isWhole, "\(result)")
        let recovered = folder.file(isWhole ? name : name.replacing("voice.", with: "voice.recovered."))
        try await expectSilentDecoding(recovered)
        let audio = try await FFmpeg.audio(of: recovered, rate: 48_000, channel: 0)
        #expect(Double(audio.count) / 48_000 > reached - 1)
        #expect(ToneAnalysis(audio.dropLast(4800).map { $0 }, rate: 48_000).longestSilence < 0.001)
        let again = try await BuiltCommand.rushes.run(["recover", "--in-place", recovered])
        #expect(again.status == 1 && again.errors.contains("already complete"), "\(again)")
    }

    @Test(arguments: ["voice.wav", "voice.flac", "voice.m4a", "voice.mp3"])
    func `files follow each other, and each sample is in one of them`(name: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Takes.record(
            name, in: folder, ["--duration", "4.5", "--split-every", "1s"], sources: Self.tone)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files.count > 1)
        var count = 0
        for file in files {
            try await expectSilentDecoding(folder.file(file))
            count += try await FFmpeg.audio(of: folder.file(file), rate: 48_000, channel: 0).count
            if name == "voice.flac" {
                let first = try await FFProbe.packets("a:0", of: folder.file(file)).first
                #expect(first?.ptsTime?.value == 0)
            }
        }
        // Of AAC and MP3 each file ends with a whole packet.
        #expect(
            ["voice.m4a", "voice.mp3"].contains(name) ? abs(count - 216_000) < 1200 * files.count : count == 216_000,
            "\(count)")
    }

    @Test(arguments: ["voice.m4a", "voice.wav", "voice.flac", "voice.mp3"])
    func `a pause is cut, and marks are in the file`(name: String) async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(["record"] + Self.tone + ["--json", name], folder: folder.path)
        var (id, hasPaused) = ("", false)
        for await line in take.lines {
            let event = try Event(line)
            id = event.id
            if !hasPaused, (event.state.mediaTime ?? 0) > 0.5 {
                hasPaused = true
                for request in [["mark", "Question 2"], ["pause"], ["resume"]] {
                    let answer = try await BuiltCommand.rushes.run(["control", id] + request)
                    #expect(answer.status == 0, "\(answer)")
                }
            }
            if (event.state.mediaTime ?? 0) > 1.5 { break }
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        let file = folder.file(name)
        try await expectSilentDecoding(file)
        let duration = try #require(try Event.all(result.text).last?.state.mediaTime)
        let audio = try await FFmpeg.audio(of: file, rate: 48_000, channel: 0)
        #expect(abs(Double(audio.count) / 48_000 - duration) < 0.03)
        if name == "voice.wav" {
            #expect(FileManager.default.contents(atPath: file)?.range(of: Data("Question 2".utf8)) != nil)
        } else {
            let chapters = try await Tool.succeed("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", file])
            #expect(chapters.text.contains("Question 2"), "\(chapters)")
        }
    }

    @Test func `what has no place in the file is refused before there is one`() async throws {
        let folder = try TemporaryFolder()
        for (arguments, words) in [
            (
                ["--camera", "test", "voice.m4a"],
                "M4A holds audio alone; leave --camera out, or name the file .mov, .mp4 or .mkv."
            ),
            (["--size", "640x480", "voice.wav"], "WAV holds audio alone; leave --size out"),
            (
                ["--audio", "aac", "voice.wav"],
                "WAV cannot hold AAC here; name the file .mov, .mp4, .mkv, .m4a or .mka"
            ),
            (["--audio", "pcm", "voice.flac"], "FLAC cannot hold PCM here; name the file .mov, .mkv, .wav or .mka"),
            (["--audio", "alac", "take.mkv"], "Matroska cannot hold ALAC here; name the file .mov or .mp4"),
            (["--bit-depth", "10", "voice.wav"], "--bit-depth of audio alone is 16 or 24."),
            (["--bit-depth", "16", "voice.m4a"], "AAC in M4A has no bits to choose"),
            (["--bit-depth", "16", "take.mov"], "--bit-depth is 8 or 10."),
            (["--microphone", "none", "voice.m4a"], "M4A holds audio alone, and there is no microphone"),
        ] {
            let result = try await BuiltCommand.rushes.run(["record"] + arguments, folder: folder.path)
            #expect(result.status != 0 && result.errors.contains(words), "\(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}

/// The same with a sound server's microphone.
@Suite(.serialized, .timeLimit(.minutes(25)), .turn, .requiresPulseAudio) struct AudioAloneServerTests {
    @Test func `the default microphone of PulseAudio is recorded to WAV and FLAC`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let microphone = try await servers.plugInMicrophone("a", "Mic A", "--tone", "440")
        let folder = try TemporaryFolder()
        for name in ["voice.wav", "voice.flac"] {
            let take = try BuiltCommand.rushes.start(
                ["record", "--progress", "none", "--duration", "3", "--microphone", "a", name], servers: servers,
                folder: folder.path)
            let result = try await take.result(within: .seconds(60))
            #expect(result.status == 0, "\(result)")
            let audio = try await FFmpeg.audio(of: folder.file(name), rate: 48_000, channel: 0)
            #expect(audio.count == 144_000)
            // A busy machine may let the device wait for its tone, and the server for its turn.
            let tones = stride(from: 0, through: audio.count - 4800, by: 4800).count { start in
                abs(ToneAnalysis(Array(audio[start..<start + 4800]), rate: 48_000).frequency - 440) < 8
            }
            #expect(tones > 10, "\(tones) of \(audio.count / 4800) tenths of a second")
        }
        try await microphone.unplug()
    }
}
