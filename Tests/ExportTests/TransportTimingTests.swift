import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Transport streams whose clock or whose first frames are not as a broadcaster's.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TransportTimingTests {
    private static let x264 = "-c:v libx264 -preset veryfast -g 25 -pix_fmt yuv420p"

    private func copy(_ path: String, to output: String) async throws {
        _ = try await ExportSession(input: FilePath(path), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
    }

    /// When each packet of a stream is shown, in seconds from the first one of the file.
    private func times(_ stream: String, of path: String, from start: Double) async throws -> [Double] {
        try await FFProbe.packets(stream, of: path).compactMap { $0.ptsTime?.value }.map { $0 - start }
    }

    private func start(of path: String) async throws -> Double {
        var first = Double.infinity
        for stream in ["v:0", "a:0"] {
            first = try await times(stream, of: path, from: 0).reduce(first, min)
        }
        return first
    }

    /// Whether both tracks of the output are where they are in the input.
    private func expectSameTimes(_ input: String, _ output: String) async throws {
        let (old, new) = (try await start(of: input), try await start(of: output))
        for stream in ["v:0", "a:0"] {
            let (before, after) = (
                try await times(stream, of: input, from: old).sorted(),
                try await times(stream, of: output, from: new).sorted()
            )
            #expect(before.count == after.count, "\(stream)")
            #expect(
                zip(before, after).allSatisfy { abs($0 - $1) < 0.003 },
                "\(stream) begins at \(before.first ?? 0) and \(after.first ?? 0)")
        }
    }

    @Test(arguments: [600, 1000, 2000], ["mp4", "mkv"])
    func `a stream whose clock comes seldom keeps its length`(interval: Int, ending: String) async throws {
        let movie = try await MadeMovie("in.ts", "\(Self.x264) -c:a aac -pcr_period \(interval)")
        let output = movie.folder.file("out.\(ending)")
        try await copy(movie.path, to: output)
        try await expectSameTimes(movie.path, output)
    }

    @Test func `frames of a stream whose clock comes seldom are shown when they were`() async throws {
        let movie = try await MadeMovie("in.ts", "\(Self.x264) -c:a aac -pcr_period 1000")
        #expect(try await movie.export(MadeMovie.settings(), to: "out.mp4").frames == 75)
        let video = try #require(try await FFProbe.inspect(movie.folder.file("out.mp4")).video.first)
        #expect(abs((video.duration?.value ?? 0) - 3) < 0.001)
    }

    @Test(arguments: ["mp4", "mov", "mkv"])
    func `frames that are shown before the first one of a broadcast stay in step with the audio`(ending: String)
        async throws
    {
        let options = "\(Self.x264) -x264-params open-gop=1:bframes=3:scenecut=0 -c:a mp2"
        let movie = try await MadeMovie("whole.ts", options)
        let input = movie.folder.file("in.ts")
        try LateReceiver.record(movie.path, to: input)
        let video = try await FFProbe.packets("v:0", of: input).compactMap { $0.ptsTime?.value }
        #expect(video.min() != video.first)
        let output = movie.folder.file("out.\(ending)")
        try await copy(input, to: output)
        try await expectSameTimes(input, output)
    }

    /// - Parameter isCut: the first key frame has none before it that its leading frames need.
    @Test(
        arguments: Cases.taken(
            of: [
                ("\(x264) -bf 2", false),
                ("-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=2", false),
                ("-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=3:keyint=27:open-gop=1", true),
            ], ["mov", "mkv"], most: 3))
    func `frames whose start codes begin in the packet before keep their times`(
        coded: (options: String, isCut: Bool), ending: String
    ) async throws {
        let movie = try await MadeMovie("whole.ts", "\(coded.options) -c:a aac")
        let (straight, input) = (movie.folder.file("straight.ts"), movie.folder.file("in.ts"))
        if coded.isCut { try LateReceiver.record(movie.path, to: straight) }
        let source = coded.isCut ? straight : movie.path
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: source)))
        try Data(ShiftedStartCodes.applied(to: bytes)).write(to: URL(filePath: input))
        let output = movie.folder.file("out.\(ending)")
        try await copy(input, to: output)
        try await expectSameTimes(source, output)
        #expect(try await MadeMovie.frames(at: output) == MadeMovie.frames(at: source))
        let encoded = movie.folder.file("encoded.\(ending)")
        _ = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings())
            .export(to: MovieDestination(FilePath(encoded)))
        #expect(try await MadeMovie.frames(at: encoded) == MadeMovie.frames(at: source))
    }

    @Test(arguments: ["mp4", "mkv"])
    func `what is decoded before the clock's first value keeps its time`(ending: String) async throws {
        let movie = try await MadeMovie("whole.ts", "\(Self.x264) -bf 2 -c:a aac -muxdelay 0 -muxpreload 0")
        let input = movie.folder.file("in.ts")
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        // As where the clock is in the audio's packets, which come behind the first frames.
        let clocks = stride(from: 0, to: bytes.count, by: 188).filter { place in
            bytes[place + 3] & 0x20 != 0 && bytes[place + 4] >= 7 && bytes[place + 5] & 0x10 != 0
        }
        for place in clocks.prefix(4) { bytes[place + 5] &= ~0x10 }
        try bytes.write(to: URL(filePath: input))
        let output = movie.folder.file("out.\(ending)")
        try await copy(input, to: output)
        try await expectSameTimes(input, output)
        #expect(try await MadeMovie.frames(at: output) == MadeMovie.frames(at: input))
    }

    /// Of a table (ISO/IEC 13818-1, annex A).
    private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
        return sum
    }

    /// As of some multiplexers: the map says that there is no clock, and the video's packets have one.
    @Test func `a clock that the map does not tell of is found`() async throws {
        let movie = try await MadeMovie("whole.ts", "\(Self.x264) -bf 2 -c:a aac")
        let input = movie.folder.file("in.ts")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: movie.path)))
        for place in stride(from: 0, to: bytes.count, by: 188)
        where bytes[place + 1] & 0x1F == 0x10 && bytes[place + 2] == 0 {
            let begin = place + 5
            let end = begin + 3 + (Int(bytes[begin + 1] & 0x0F) << 8 | Int(bytes[begin + 2])) - 4
            (bytes[begin + 8], bytes[begin + 9]) = (0xFF, 0xFF)
            let sum = checksum(bytes[begin..<end])
            bytes.replaceSubrange(end..<end + 4, with: withUnsafeBytes(of: sum.bigEndian, Array.init))
        }
        try Data(bytes).write(to: URL(filePath: input))
        for ending in ["mp4", "mkv"] {
            let output = movie.folder.file("out.\(ending)")
            try await copy(input, to: output)
            try await expectSameTimes(movie.path, output)
        }
        let encoded = movie.folder.file("encoded.mp4")
        _ = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings())
            .export(to: MovieDestination(FilePath(encoded)))
        #expect(try await MadeMovie.frames(at: encoded) == MadeMovie.frames(at: input))
    }

    @Test(arguments: ["mp4", "mkv"])
    func `a stream without a clock keeps its times`(ending: String) async throws {
        let movie = try await MadeMovie("whole.ts", "\(Self.x264) -bf 2 -c:a aac")
        let input = movie.folder.file("in.ts")
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        for place in stride(from: 0, to: bytes.count, by: 188)
        where bytes[place + 3] & 0x20 != 0 && bytes[place + 4] >= 7 {
            bytes[place + 5] &= ~0x10
        }
        try bytes.write(to: URL(filePath: input))
        let output = movie.folder.file("out.\(ending)")
        try await copy(input, to: output)
        try await expectSameTimes(input, output)
    }

    /// - Parameter others: programs that were sent too, of which the recording has no more than their names.
    @Test(arguments: [(188, 0), (192, 0), (188, 2)])
    func `a key frame before the tables that tell of it is not lost`(length: Int, others: Int) async throws {
        let extra = (0..<others).map { " -program program_num=\($0 + 2):st=\($0 + 2)" }.joined()
        let tracks = String(repeating: " -map 1:a", count: 1 + others)
        let options = "\(Self.x264) -c:a aac -map 0:v\(tracks) -program program_num=1:st=0:st=1\(extra)"
        let movie = try await MadeMovie("whole.ts", options)
        let input = movie.folder.file("in.ts")
        let bytes = try Data(contentsOf: URL(filePath: movie.path))
        // The maps of the others, and what they name.
        let left = (0..<others).flatMap { [0x1001 + $0, 0x102 + $0] }
        var packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
        packets.removeAll { packet in
            let number = Int(packet[packet.startIndex + 1] & 0x1F) << 8 | Int(packet[packet.startIndex + 2])
            return left.contains(number)
        }
        // Service description, association and map come first, and again ten times a second.
        let tables = packets[..<3]
        packets.removeFirst(3)
        packets.insert(contentsOf: tables, at: 30)
        // Cameras put a time before each packet.
        let stamp = Data(repeating: 0, count: length - 188)
        try Data(packets.map { stamp + $0 }.joined()).write(to: URL(filePath: input))
        #expect(try await MadeMovie.frames(at: input).count == 75)
        for preset in ["copy", "h264"] {
            var settings = ExportSettings(preset: preset)
            settings.reencodes = preset != "copy"
            let output = movie.folder.file("\(preset).mp4")
            let result = try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(output)))
            #expect(result.frames == 75, "\(preset)")
            #expect(try await MadeMovie.frames(at: output) == MadeMovie.frames(at: input), "\(preset)")
        }
    }

    @Test(arguments: ["m4a", "mkv", "mov"])
    func `AAC whose headers say MPEG-2 is copied`(ending: String) async throws {
        let movie = try await MadeMovie("in.aac", "-map 1:a -c:a aac -write_mpeg2 1")
        #expect(Array(try Data(contentsOf: URL(filePath: movie.path)).prefix(2)) == [0xFF, 0xF9])
        let output = movie.folder.file("out.\(ending)")
        try await copy(movie.path, to: output)
        let (input, copied) = (
            try await FFProbe.packets("a:0", of: movie.path), try await FFProbe.packets("a:0", of: output)
        )
        #expect(copied.count == input.count)
        let audio = try #require(try await FFProbe.inspect(output).audio.first)
        #expect(audio.codecName == "aac" && audio.sampleRate?.value == 48_000)
    }

    @Test(arguments: ["copied.mov", "copied.mp4", "copied.mkv"])
    func `a frame that is decoded long before it is shown is a movie of its own`(name: String) async throws {
        let movie = try await MadeMovie(
            "in.ts", "-c:v libx264 -an -frames:v 1 -bsf:v setts=dts=DTS-9000", seconds: 1)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: name)
        #expect(try await movie.frames(of: name) == [0], "\(result.notes)")
    }
}
