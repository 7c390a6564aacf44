import Encoding
import Export
import GStreamer
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Transport streams whose tables change on the way, and such as lack packets: nothing of them is lost without a word.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TransportLossTests {
    private static let x264 = "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p"
    private static let outputs = ["copied.mkv", "copied.mp4", "encoded.mov"]

    private func export(_ input: String, to output: String) async throws -> ExportResult {
        var settings = MadeMovie.settings()
        if output.contains("copied") { settings = ExportSettings(preset: "copy") }
        return try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
    }

    /// Two files of a second and a half behind each other, of which the second one goes on in time.
    private func joined(_ first: String, _ second: String) async throws -> (folder: TemporaryFolder, path: String) {
        let begin = try await MadeMovie("first.ts", "\(Self.x264) \(first)", seconds: 1.5, rate: 20)
        let end = try await MadeMovie(
            "second.ts", "\(Self.x264) \(second) -output_ts_offset 1.5", seconds: 1.5, rate: 20)
        let path = begin.folder.file("in.ts")
        try (Data(contentsOf: URL(filePath: begin.path)) + Data(contentsOf: URL(filePath: end.path)))
            .write(to: URL(filePath: path))
        return (begin.folder, path)
    }

    private func start(_ stream: String, of path: String) async throws -> Double {
        try #require(try await FFProbe.packets(stream, of: path).compactMap { $0.ptsTime?.value }.min())
    }

    /// As some streamers send them: what fills a map's packet up stands in front of the map.
    private func stuffMaps(of path: String) throws {
        var (bytes, count) = (Array(try Data(contentsOf: URL(filePath: path))), 0)
        for packet in stride(from: 0, to: bytes.count, by: 188)
        where bytes[packet + 1] & 0x40 != 0 && bytes[packet + 3] & 0x20 == 0 && bytes[packet + 4] == 0
            && bytes[packet + 5] == 2
        {
            let size = 1 + 3 + (Int(bytes[packet + 6] & 0x0F) << 8 | Int(bytes[packet + 7]))
            let table = bytes[packet + 4..<packet + 4 + size]
            // The field's length, and flags of which none is set.
            let field = [UInt8(183 - size), 0] + [UInt8](repeating: 0xFF, count: 182 - size)
            bytes[packet + 3] |= 0x20
            bytes.replaceSubrange(packet + 4..<packet + 188, with: field + table)
            count += 1
        }
        #expect(count > 1)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test(arguments: outputs, [false, true])
    func `a track that a later map adds is kept`(name: String, isStuffed: Bool) async throws {
        let (folder, input) = try await joined("-an", "-c:a aac")
        if isStuffed { try stuffMaps(of: input) }
        let output = folder.file(name)
        let result = try await export(input, to: output)
        let report = try await FFProbe.inspect(output)
        #expect(report.audio.count == 1 && report.video.count == 1, "\(result.notes)")
        #expect(try await MadeMovie.frames(at: output).count == 60)
        #expect(!result.notes.contains { $0.contains("left out") || $0.contains("missing") }, "\(result.notes)")
        guard name.contains("copied") else { return }
        let late = try await start("a:0", of: input) - start("v:0", of: input)
        let own = try await start("a:0", of: output) - start("v:0", of: output)
        #expect(late > 1 && abs(own - late) < 0.005, "\(own), not \(late)")
    }

    @Test(arguments: outputs)
    func `a second language that begins later is kept`(name: String) async throws {
        let (folder, input) = try await joined("-c:a aac", "-map 0:v -map 1:a -map 1:a -c:a aac")
        let output = folder.file(name)
        let result = try await export(input, to: output)
        #expect(try await FFProbe.inspect(output).audio.count == 2, "\(result.notes)")
        let frames = try await MadeMovie.frames(at: output).count
        #expect(try await frames == MadeMovie.frames(at: input).count, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("left out") || $0.contains("missing") }, "\(result.notes)")
    }

    /// A streamer that begins with the audio alone, and a recording of it from anywhere on.
    @Test func `frames that a later map adds are copied from their first key frame on`() async throws {
        let begin = try await MadeMovie("first.ts", "-vn -c:a aac -streamid 0:257", seconds: 1.5, rate: 20)
        let end = try await MadeMovie(
            "second.ts", "\(Self.x264) -map 0:v -map 1:a -c:a aac -output_ts_offset 1.5", seconds: 3, rate: 20)
        let input = begin.folder.file("in.ts")
        // Behind the first packets of frames of the second, its key frame among them, but for the tables.
        let bytes = Array(try Data(contentsOf: URL(filePath: end.path)))
        let units = stride(from: 0, to: bytes.count, by: 188).filter {
            bytes[$0 + 1] & 0x5F == 0x41 && bytes[$0 + 2] == 0
        }
        let rest = bytes[..<564] + bytes[units[3]...]
        try (Data(contentsOf: URL(filePath: begin.path)) + Data(rest)).write(to: URL(filePath: input))
        try stuffMaps(of: input)
        for name in ["copied.mkv", "copied.mp4"] {
            let output = begin.folder.file(name)
            let result = try await export(input, to: output)
            #expect(try await MadeMovie.frames(at: output) == Array(25..<60), "\(result.notes)")
            #expect(result.notes.contains { $0.contains("22 frames") }, "\(result.notes)")
        }
    }

    @Test func `a track that takes another one's place is told`() async throws {
        let (folder, input) = try await joined("-c:a aac", "-c:a ac3")
        let result = try await export(input, to: folder.file("encoded.mov"))
        #expect(
            result.notes.contains { $0.contains("(AC-3) was left out: at 1.") && $0.contains("takes the place of") },
            "\(result.notes)")
        // Nothing of the one is taken for the other.
        let file = try FileDescriptor.open(FilePath(input), .readOnly)
        defer { try? file.close() }
        let audio = try await StreamScan(file).streams.filter { $0.kind == .audio }
        #expect(audio.map { $0.caps.first?["rate"]?.intValue } == [48_000])
    }

    /// Takes some packets of the video out, none of which begins a frame.
    private func lose(_ count: Int, of path: String, to output: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        var packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
        let inner = packets.indices.filter { index in
            let (packet, at) = (packets[index], packets[index].startIndex)
            return packet[at + 1] == 1 && packet[at + 2] == 0 && packet[at + 3] & 0x10 != 0
        }
        let first = try #require(inner.first { $0 > packets.count / 2 })
        packets.removeSubrange(first..<first + count)
        try Data(packets.joined()).write(to: URL(filePath: output))
    }

    @Test(
        arguments: ["copied.mkv", "encoded.mov"],
        ["libx264 -preset ultrafast -g 25 -bf 2", "mpeg2video -g 25 -bf 2 -q:v 2"])
    func `missing packets are told and cost no frame that has come`(name: String, codec: String) async throws {
        let audio = codec.hasPrefix("mpeg2") ? "mp2" : "aac"
        let movie = try await MadeMovie("whole.ts", "-c:v \(codec) -b:v 2M -c:a \(audio)")
        let (input, output) = (movie.folder.file("in.ts"), movie.folder.file(name))
        try lose(2, of: movie.path, to: input)
        let result = try await export(input, to: output)
        let wanted = try await FFProbe.frames("v:0", of: input).count
        let frames = try await FFProbe.frames("v:0", of: output).count
        #expect(frames >= wanted, "\(frames) of \(wanted): \(result.notes)")
        let notes = result.notes.filter { $0.contains("Packets of the input are missing in one place, at ") }
        #expect(notes.count == 1, "\(result.notes)")
        #expect(notes.first?.contains("frames that begin in it are in the output") == true, "\(notes)")
        let whole = try await export(movie.path, to: movie.folder.file("whole-\(name)"))
        #expect(!whole.notes.contains { $0.contains("missing") }, "\(whole.notes)")
    }

    @Test(arguments: ["out.mp4", "out.mkv"])
    func `audio that changes is encoded where a codec is wanted`(name: String) async throws {
        let (folder, input) = try await joined("-c:a aac", "-c:a aac -ac 2")
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
        #expect(result.notes.contains { $0.contains("changes on the way") }, "\(result.notes)")
        let audio = try await FFmpeg.audio(of: folder.file(name), rate: 48_000)
        #expect(audio.count > 48_000 * 29 / 10, "\(audio.count)")
    }

    @Test(arguments: ["out.mp4", "out.mkv"])
    func `frames whose size changes are encoded, and not copied`(name: String) async throws {
        let begin = try await MadeMovie("first.ts", "\(Self.x264) -an", seconds: 1)
        let end = try await MadeMovie("second.ts", "\(Self.x264) -an -output_ts_offset 1", seconds: 1, size: "320x240")
        let (input, output) = (begin.folder.file("in.ts"), begin.folder.file(name))
        try (Data(contentsOf: URL(filePath: begin.path)) + Data(contentsOf: URL(filePath: end.path)))
            .write(to: URL(filePath: input))
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(output)))
        #expect(result.notes.contains { $0.contains("changes on the way") }, "\(result.notes)")
        #expect(try await FFProbe.inspect(output).video.first?.width == 160)
        #expect(try await MadeMovie.frames(at: output).count == 50)
        await #expect { try await export(input, to: begin.folder.file("copied-\(name)")) } throws: { error in
            "\(error)".contains("changes on the way")
        }
    }
}
