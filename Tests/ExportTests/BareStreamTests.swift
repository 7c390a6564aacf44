import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Streams without a container, which tell no times; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct BareStreamTests {
    @Test(arguments: ["mov", "mp4", "mkv"])
    func `frames of a stream without a rate are 25 a second, and it is told`(ending: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-c:v",
                "libx264",
            ]
                + ["-profile:v", "baseline", "-pix_fmt", "yuv420p", folder.file("rated.h264")])
        let stream = try Data(contentsOf: URL(filePath: folder.file("rated.h264")))
        try Data(SequenceParameters.withoutUsability(Array(stream))).write(to: URL(filePath: folder.file("in.h264")))
        let output = folder.file("out.\(ending)")
        let result = try await ExportSession(
            input: FilePath(folder.file("in.h264")), settings: ExportSettings(preset: "copy")
        ).export(to: MovieDestination(FilePath(output)))
        #expect(
            result.notes.contains("The stream does not say how many frames a second it has; 25 are assumed."),
            "\(result.notes)")
        let times = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", output]
        ).text.split(separator: "\n").compactMap { Double($0.filter { "0123456789.".contains($0) }) }
        #expect(times.count == 50)
        let errors = zip(times, times.indices).map { time, index -> Double in abs(time - Double(index) * 0.04) }
        #expect(errors.allSatisfy { $0 < 0.002 }, "\(times)")
        try await FFmpeg.decode(output)
        // One frame alone lasts as long.
        let starts = stream.indices.dropLast(4).filter { stream[$0...].starts(with: [0, 0, 1, 0x41]) }
        try Data(SequenceParameters.withoutUsability(Array(stream[..<starts[0]]))).write(
            to: URL(filePath: folder.file("one.h264")))
        _ = try await ExportSession(
            input: FilePath(folder.file("one.h264")), settings: ExportSettings(preset: "copy")
        ).export(to: MovieDestination(FilePath(folder.file("one.\(ending)"))))
        let frames = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0"]
                + [folder.file("one.\(ending)")])
        #expect(frames.text.contains("1"))
    }

    @Test func `frames behind something else are no other ones`() async throws {
        let movie = try await MadeMovie("in.h264", "-c:v libx264 -bf 2 -an", seconds: 1)
        let stream = try Data(contentsOf: URL(filePath: movie.path))
        try (Data("no stream".utf8) + stream).write(to: URL(filePath: movie.path))
        // They may be shown in another order than they lie in.
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mkv")
        }
        #expect(error?.description.contains("this file does not say when they are shown") == true)
        _ = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
        let plain = try await MadeMovie("in.h264", "-c:v libx264 -profile:v baseline -an", seconds: 1)
        let unrated = SequenceParameters.withoutUsability(Array(try Data(contentsOf: URL(filePath: plain.path))))
        try (Data("no stream".utf8) + Data(unrated)).write(to: URL(filePath: plain.path))
        _ = try await plain.export(ExportSettings(preset: "copy"), to: "out.mov")
        let made = try await FFProbe.inspect(plain.folder.file("out.mov"))
        #expect(abs((made.video.first?.duration?.value ?? 0) - 1) < 0.001)
    }

    /// Frames with numbers.
    ///
    /// - Parameter options: ffmpeg's.
    private func untimedProgramStream(_ options: String) async throws -> MadeMovie {
        let movie = try await MadeMovie("in.mpg", "\(options) -q:v 2", seconds: 1)
        let bytes = UntimedPackets.applied(to: Array(try Data(contentsOf: URL(filePath: movie.path))))
        try Data(bytes).write(to: URL(filePath: movie.path))
        return movie
    }

    @Test func `a program stream without times is not copied, and nothing is written`() async throws {
        let movie = try await untimedProgramStream("-c:v mpeg2video -an -f vob")
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mkv")
        }
        #expect(error?.description.contains("this file does not say when its frames are shown") == true)
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("out.mkv")))
    }

    @Test(arguments: ["-an", "-c:a mp2"])
    func `a program stream without times is encoded in full`(audio: String) async throws {
        let movie = try await untimedProgramStream("-c:v mpeg2video -bf 2 \(audio) -f vob")
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25), "\(result.notes)")
        let made = try await FFProbe.inspect(movie.folder.file("out.mp4"))
        #expect(abs((made.video.first?.duration?.value ?? 0) - 1) < 0.01)
        guard audio != "-an" else { return }
        #expect(abs((made.audio.first?.duration?.value ?? 0) - 1) < 0.06)
    }

    @Test func `fields of a transport stream that are coded one by one are counted as frames`() async throws {
        let folder = try TemporaryFolder()
        try Data(FieldStream.bytes(frames: 12)).write(to: URL(filePath: folder.file("in.h264")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-fflags", "+genpts", "-i", folder.file("in.h264"), "-c", "copy"]
                + [folder.file("in.ts")])
        let file = try FileDescriptor.open(FilePath(folder.file("in.ts")), .readOnly)
        defer { try? file.close() }
        let counted = try #require(try await StreamScan(file).streams.first)
        #expect(counted.packetCount == 12 && abs(counted.duration.seconds - 0.48) < 0.001)
    }

    @Test func `frames whose fields are coded one by one are shown as long as they are`() async throws {
        let folder = try TemporaryFolder()
        try Data(FieldStream.bytes(frames: 12)).write(to: URL(filePath: folder.file("in.h264")))
        let file = try FileDescriptor.open(FilePath(folder.file("in.h264")), .readOnly)
        defer { try? file.close() }
        let counted = try #require(try await StreamScan(file).streams.first)
        #expect(counted.packetCount == 12 && abs(counted.duration.seconds - 0.48) < 0.001)
        var settings = MadeMovie.settings()
        settings.deinterlacing = .never
        _ = try await ExportSession(input: FilePath(folder.file("in.h264")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let times = try await FFProbe.packets("v:0", of: folder.file("out.mp4")).compactMap { $0.ptsTime?.value }
            .sorted()
        #expect(times.count == 12)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 }, "\(times)")
    }
}

/// AV1 without a container, as `aomenc --obu` and ffmpeg write it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct BareAV1Tests {
    @Test(arguments: [("h264", "out.mp4"), ("copy", "out.mkv")])
    func `AV1 without a container is read, 25 frames a second`(preset: String, output: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=1", "-c:v"]
                + ["libsvtav1", "-preset", "10", "-pix_fmt", "yuv420p", "-f", "obu", folder.file("in.obu")])
        let result = try await ExportSession(
            input: FilePath(folder.file("in.obu")), settings: ExportSettings(preset: preset)
        ).export(to: MovieDestination(FilePath(folder.file(output))))
        #expect(result.frames == 25, "\(result.notes)")
        let report = try await FFProbe.inspect(folder.file(output))
        #expect(abs((report.format.duration?.value ?? 0) - 1) < 0.05)
    }
}

/// Streams that were cut before the next frame.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DelimiterTests {
    @Test(arguments: [("libx264", "h264", [0, 0, 0, 1, 9, 0xF0]), ("libx265", "hevc", [0, 0, 0, 1, 0x46, 1, 0x50])])
    func `a delimiter alone at the end costs no frame`(encoder: String, codec: String, end: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.\(codec)")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-c:v",
                encoder,
            ]
                + [
                    "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", "-bsf:v", "\(codec)_metadata=aud=insert",
                    input,
                ])
        try (Data(contentsOf: URL(filePath: input)) + end).write(to: URL(filePath: input))
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        let result = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 50, "\(result)")
    }
}

/// H.264's description of a sequence (ISO/IEC 14496-10, 7.3.2.1), of the Baseline profile.
private enum SequenceParameters {
    /// A stream whose first such description tells nothing of how it is used (annex E): no rate among it.
    static func withoutUsability(_ stream: [UInt8]) -> [UInt8] {
        guard let start = stream.indices.dropLast(4).first(where: { stream[$0...].starts(with: [0, 0, 1, 0x67]) })
        else { return stream }
        let begin = start + 4
        let end =
            stream.indices.dropFirst(begin).first {
                stream[$0...].starts(with: [0, 0, 1]) || stream[$0...].starts(with: [0, 0, 0, 1])
            }
            ?? stream.endIndex
        let bits = stream[begin..<end].flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
        var place = 24
        func number() -> Int {
            let zeros = bits[place...].prefix { $0 == 0 }.count
            defer { place += 2 * zeros + 1 }
            return bits[(place + zeros)..<(place + 2 * zeros + 1)].reduce(0) { $0 << 1 | Int($1) } - 1
        }
        _ = (number(), number())
        if number() == 0 { _ = number() }
        _ = number()
        place += 1
        _ = (number(), number())
        // Frames alone, and how vectors are made.
        place += 2
        place += 1
        if bits[place - 1] == 1 { _ = (number(), number(), number(), number()) }
        // Nothing of how it is used, then the bit that ends it.
        var kept = Array(bits[..<place]) + [0, 1]
        while kept.count % 8 != 0 { kept.append(0) }
        let bytes = stride(from: 0, to: kept.count, by: 8).map { kept[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
        return Array(stream[..<begin]) + bytes + Array(stream[end...])
    }
}
