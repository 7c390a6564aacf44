import Foundation
import TestSupport
import Testing

/// What `rushes info` tells of streams whose file does not say it: judged by ffprobe.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoStreamTests {
    private struct Info: Decodable {
        struct Video: Decodable {
            var codec: String
            var width: Int, height: Int, displayWidth: Int, displayHeight: Int
            var matrix: String?, range: String?
            var frameCount: Int
        }
        struct Audio: Decodable { var codec: String, sampleRate: Int, language: String? }
        struct Other: Decodable, Equatable {
            var codec: String, language: String?
            var sampleCount: Int
        }
        var video: [Video]
        var audio: [Audio]
        var subtitles: [Other]?
        var data: [Other]?
        var covers: [String]?
        var title: String?
        var duration: Double
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: [String]) async throws {
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + options + [folder.file(name)])
    }

    private func info(_ name: String) async throws -> Info {
        let result = try await BuiltCommand.rushes.run(["info", "--json", folder.file(name)])
        return try JSONDecoder().decode(Info.self, from: result.output)
    }

    @Test func `the length of a program stream without times`() async throws {
        let sources = [
            "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi", "-i", "sine=duration=2",
        ]
        try await make("timed.mpg", sources + ["-c:v", "mpeg2video", "-bf", "2", "-c:a", "mp2", "-f", "vob"])
        let bytes = UntimedPackets.applied(to: Array(try Data(contentsOf: URL(filePath: folder.file("timed.mpg")))))
        try Data(bytes).write(to: URL(filePath: folder.file("in.mpg")))
        let told = try await info("in.mpg")
        #expect(told.video.first?.frameCount == 50 && abs(told.duration - 2) < 0.1, "\(told)")
    }

    /// As a relay writes it that begins in the middle of a stream: AAC whose description is empty. Of six channels nothing decodes it then.
    @Test(arguments: [1, 6]) func `Flash video whose AAC is not described`(channels: Int) async throws {
        let sources = [
            "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi", "-i", "sine=duration=2",
        ]
        try await make(
            "told.flv",
            sources + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "\(channels)"])
        var bytes = Array(try Data(contentsOf: URL(filePath: folder.file("told.flv"))))
        // The description is the only tag of audio whose second byte is 0: AAC in stereo of 44,100 Hz as Flash says it.
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xAF, 0, 0x12]) })
        let size = Int(bytes[place - 8])
        #expect(bytes[place - 11] == 8 && bytes[place + size + 3] == UInt8(11 + size))
        bytes.replaceSubrange(place + 2..<place + size + 4, with: [0, 0, 0, 13])
        bytes[place - 8] = 2
        try Data(bytes).write(to: URL(filePath: folder.file("in.flv")))
        let told = try await info("in.flv")
        let counted = try await Tool.succeed(
            "ffprobe",
            ["-v", "fatal", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets"]
                + ["-of", "csv=p=0", folder.file("in.flv")])
        #expect(told.video.map(\.frameCount) == [50] && counted.text.hasPrefix("50"), "\(told)")
        #expect(told.audio.map(\.sampleRate) == [44_100], "\(told)")
        #expect(told.audio.map(\.codec) == ["aac"] && abs(told.duration - 2) < 0.1, "\(told)")
    }

    @Test func `languages of a transport stream`() async throws {
        try await make(
            "in.ts",
            [
                "-f", "lavfi", "-i", "sine=duration=1", "-map", "0", "-map", "0", "-map", "0", "-c:a:0", "aac",
                "-c:a:1", "ac3",
            ]
                + ["-c:a:2", "mp2", "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra"])
        #expect(try await info("in.ts").audio.map(\.language) == ["de", "fr", nil])
    }

    @Test(arguments: [("libx264", "yuv420p", "avc1"), ("libx264", "yuv422p", "avc1"), ("libx265", "yuv444p", "hev1")])
    func `a size that only the stream tells`(codec: String, format: String, entry: String) async throws {
        try await make(
            "in.mp4",
            ["-f", "lavfi", "-i", "testsrc2=size=170x98:rate=25:duration=0.4", "-c:v", codec, "-pix_fmt", format]
                + (codec == "libx265" ? ["-x265-params", "log-level=0"] : []))
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp4")))
        let list = try #require(bytes.range(of: Data("stsd".utf8)))
        let place = try #require(bytes.range(of: Data(entry.utf8), in: list.upperBound..<bytes.endIndex))
        // Width and height of the sample entry.
        bytes.replaceSubrange(place.upperBound + 24..<place.upperBound + 28, with: Data(count: 4))
        try bytes.write(to: URL(filePath: folder.file("sizeless.mp4")))
        let judged = try await FFProbe.inspect(folder.file("sizeless.mp4")).video.first
        let told = try #require(try await info("sizeless.mp4").video.first)
        #expect(told.width == judged?.width && told.height == judged?.height, "\(told)")
        #expect(told.width == 170 && told.height == 98 && told.displayWidth == 170 && told.displayHeight == 98)
    }

    @Test(arguments: ["avi", "mkv", "mov"]) func `what a JPEG's numbers mean`(ending: String) async throws {
        try await make(
            "in.\(ending)",
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=0.4", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
        let told = try #require(try await info("in.\(ending)").video.first)
        let judged = try await FFProbe.inspect(folder.file("in.\(ending)")).video.first
        #expect(told.matrix == judged?.colorSpace && told.matrix == "bt470bg", "\(told)")
        #expect(told.range == "full" && judged?.colorRange == "pc")
    }

    /// As many as ffprobe decodes.
    @Test(arguments: ["avi mpeg4", "mpg mpeg2video", "wmv wmv2", "mp4 mpeg4", "avi libxvid", "ivf libvpx"])
    func `frames are counted as far as they are there, and placeholders are none`(kind: String) async throws {
        let words = kind.split(separator: " ").map(String.init)
        let name = "in.\(words[0])"
        try await make(
            name,
            ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v", words[1]]
                + (words[1] == "libxvid" ? ["-bf", "2"] : []) + (words[0] == "mp4" ? ["-movflags", "faststart"] : []))
        if words[1] == "libxvid" {
            var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            // DivX 5 writes placeholders of 8 bytes, not 7: with the one that fills up its chunk. The index tells the size behind flags and place.
            let index = try #require(bytes.range(of: Data("idx1".utf8), options: .backwards)).lowerBound
            let name = Data("00dc".utf8)
            var place = bytes.startIndex
            while let found = bytes[place...].firstRange(of: name) {
                let size = found.upperBound + (found.lowerBound > index ? 8 : 0)
                if bytes[size..<size + 4].elementsEqual([7, 0, 0, 0]) { bytes[size] = 8 }
                place = found.upperBound
            }
            try bytes.write(to: URL(filePath: folder.file("in.avi")))
        } else if words[1] == "libvpx" {
            var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            // The second frame, behind the first one's size and time, is not shown (RFC 6386, section 9.1).
            let size = bytes[32..<36].reversed().reduce(0) { $0 << 8 | Int($1) }
            bytes[32 + 12 + size + 12] &= ~0x10
            try bytes.write(to: URL(filePath: folder.file(name)))
        } else {
            let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            try bytes.prefix(bytes.count * 3 / 5).write(to: URL(filePath: folder.file(name)))
        }
        let told = try #require(try await info(name).video.first?.frameCount)
        let judged = try await Tool.succeed(
            "ffprobe",
            ["-v", "quiet", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames"]
                + ["-of", "csv=p=0", folder.file(name)])
        let count = try #require(judged.text.firstMatch(of: /[0-9]+/).flatMap { Int($0.0) })
        // Of packed frames ffmpeg's decoder (5.1) keeps the last one, and makes one of a part that a movie's index lists as a whole.
        let wanted =
            words[1] == "libxvid" ? count...count + 1 : words[0] == "mp4" ? count - 1...count : count...count
        #expect(wanted.contains(told), "\(told), not \(count)")
    }

    @Test(arguments: ["wmav1", "wmav2"]) func `Windows Media's audio lasts as long as it plays`(codec: String)
        async throws
    {
        try await make("in.wma", ["-f", "lavfi", "-i", "sine=duration=3.7", "-c:a", codec, "-b:a", "64k"])
        let (told, judged) = (try await info("in.wma"), try await FFProbe.inspect(folder.file("in.wma")))
        #expect(abs(told.duration - (judged.format.duration?.value ?? 0)) < 0.01, "\(told)")
        #expect(abs(told.duration - 3.7) < 0.1, "\(told)")
    }

    /// Whatever was encoded and is told (RFC 7845, 5.1).
    @Test func `Opus is at 48 kHz`() async throws {
        try await make("in.webm", ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "libopus"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.webm")))
        // SamplingFrequency, a float of 64 bits.
        let rate = try #require(bytes.firstRange(of: Data([0xB5, 0x88])))
        bytes.replaceSubrange(rate.upperBound..<rate.upperBound + 8, with: [0x40, 0x40, 0, 0, 0, 0, 0, 0])
        try bytes.write(to: URL(filePath: folder.file("in.webm")))
        #expect(try await info("in.webm").audio.map(\.sampleRate) == [48_000])
    }

    @Test func `audio of which GStreamer has no name is there`() async throws {
        try await make(
            "in.mkv",
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=0.4", "-f", "lavfi", "-i", "sine=duration=0.4"]
                + ["-c:v", "libx264", "-c:a", "tta"])
        try await make(
            "in.nut",
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=0.4", "-f", "lavfi", "-i", "sine=duration=0.4"]
                + ["-c:v", "ffv1", "-c:a", "flac"])
        for name in ["in.mkv", "in.nut"] {
            let (told, judged) = (try await info(name), try await FFProbe.inspect(folder.file(name)))
            #expect(told.audio.map(\.codec) == judged.audio.compactMap(\.codecName), "\(name)")
            #expect(told.video.map(\.width) == judged.video.compactMap(\.width), "\(name)")
        }
    }

    @Test(arguments: ["in.ts", "in.nut"]) func `subtitles and data beside video are listed`(name: String) async throws {
        try Data("1\n00:00:00,100 --> 00:00:00,400\nOne\n\n".utf8).write(to: URL(filePath: folder.file("cues.srt")))
        try Data(count: 300).write(to: URL(filePath: folder.file("positions.bin")))
        let isTransport = name == "in.ts"
        try await make(
            name,
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-i", folder.file("cues.srt")]
                + ["-f", "data", "-i", folder.file("positions.bin"), "-map", "0", "-c:v", "mpeg2video"]
                + (isTransport
                    ? ["-map", "2", "-c:d", "copy"] : ["-map", "1", "-c:s", "text", "-metadata:s:s:0", "language=ger"]))
        let told = try await info(name)
        #expect(told.video.count == 1)
        #expect(told.subtitles == (isTransport ? nil : [.init(codec: "text", language: "ger", sampleCount: 1)]))
        #expect(told.data == (isTransport ? [.init(codec: "bin_data", language: nil, sampleCount: 1)] : nil))
        let text = try await BuiltCommand.rushes.run(["info", folder.file(name)]).text
        #expect(
            text.contains(isTransport ? "data     bin_data, 1 sample" : "subtitle text, ger, 1 sample"), "\(text)")
    }

    @Test func `DivX is MPEG-4`() async throws {
        try await make(
            "in.avi",
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=0.4", "-c:v", "mpeg4", "-vtag", "DIVX"])
        #expect(try await info("in.avi").video.map(\.codec) == ["mpeg4"])
    }

    @Test func `what of VP6 is shown`() async throws {
        try MadeFLV.vp6(hiding: (3, 6)).write(to: URL(filePath: folder.file("in.flv")))
        let judged = try #require(try await FFProbe.inspect(folder.file("in.flv")).video.first)
        let told = try #require(try await info("in.flv").video.first)
        #expect((told.width, told.height) == (judged.width, judged.height))
        #expect((told.width, told.height) == (189, 154))
    }

    @Test func `AAC that is decoded to twice its rate`() async throws {
        try await make("plain.aac", ["-f", "lavfi", "-i", "sine=sample_rate=22050:duration=1", "-c:a", "aac"])
        let plain = try Data(contentsOf: URL(filePath: folder.file("plain.aac")))
        var replicated = Data()
        var place = 0
        while place + 7 <= plain.count {
            let size = Int(plain[place + 3] & 3) << 11 | Int(plain[place + 4]) << 3 | Int(plain[place + 5]) >> 5
            replicated += Self.replicating(plain[place..<place + size])
            place += size
        }
        try replicated.write(to: URL(filePath: folder.file("in.aac")))
        let judged = try await FFProbe.inspect(folder.file("in.aac")).audio.first
        #expect(judged?.sampleRate?.value == 44_100)
        #expect(try await info("in.aac").audio.map(\.sampleRate) == [44_100])
        #expect(try await info("plain.aac").audio.map(\.sampleRate) == [22_050])
        for (name, rate) in [("in", 44_100), ("plain", 22_050)] {
            try await make("\(name).m4a", ["-i", folder.file("\(name).aac"), "-c", "copy"])
            #expect(try await info("\(name).m4a").audio.map(\.sampleRate) == [rate], "\(name)")
        }
    }

    /// A frame of ADTS with an element at its end that says that its upper half is replicated of the lower one, and nothing of how (ISO/IEC
    /// 14496-3, 4.4.2.8): what it is and how long, the kind of extension, and that no head follows.
    private static func replicating(_ frame: Data) -> Data {
        var bits = frame.dropFirst(7).flatMap { byte in (0..<8).reversed().map { place -> UInt8 in byte >> place & 1 } }
        // Three ones end the frame, and zeros fill its last byte.
        while bits.last == 0 { bits.removeLast() }
        bits.removeLast(3)
        bits += [1, 1, 0, 0, 0, 0, 1] + [1, 1, 0, 1, 0, 0, 0, 0] + [1, 1, 1]
        while bits.count % 8 != 0 { bits.append(0) }
        let body = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        var head = Array(frame.prefix(7))
        let size = body.count + 7
        head[3] = head[3] & 0xFC | UInt8(size >> 11)
        head[4] = UInt8(truncatingIfNeeded: size >> 3)
        head[5] = head[5] & 0x1F | UInt8(truncatingIfNeeded: size << 5)
        return Data(head) + Data(body)
    }

    /// Blocks of one bit a sample, stored as they are (WavPack's "File Format"), whose bytes look like H.263.
    @Test func `WavPack of one bit a sample is no video`() async throws {
        try await make(
            "look.h263", ["-f", "lavfi", "-i", "testsrc=size=352x288:rate=25:duration=1", "-c:v", "h263", "-f", "h263"])
        let bytes = try Data(contentsOf: URL(filePath: folder.file("look.h263")))
        func number(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        let count = 1470
        var file: [UInt8] = []
        for block in 0..<4 {
            let samples = Array(bytes.dropFirst(block * count * 2).prefix(count * 2))
            try #require(samples.count == count * 2)
            let sum = samples.reduce(UInt32.max) { $0 &* 3 &+ UInt32($1) }
            let data: [UInt8] = [3, 0] + samples
            let body = [0x8E] + number(UInt32(data.count / 2), 3) + data
            let head = number(UInt32(24 + body.count)) + [0x10, 4, 0, 0] + number(UInt32(4 * count))
            let flags: UInt32 = 1 << 31 | 3 << 11 | 9 << 23
            file += Array("wvpk".utf8) + head + number(UInt32(block * count)) + number(UInt32(count)) + number(flags)
            file += number(sum) + body
        }
        try Data(file).write(to: URL(filePath: folder.file("in.wv")))
        let told = try await info("in.wv")
        #expect(told.video.isEmpty && told.audio.map(\.codec) == ["wavpack"], "\(told)")
        #expect(told.audio.first?.sampleRate == 352_800, "\(told)")
    }
}
