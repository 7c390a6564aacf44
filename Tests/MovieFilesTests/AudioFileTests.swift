import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// WAV, FLAC and MP3: sizes that no test records, and heads that nobody wrote on purpose.
@Suite struct AudioFileTests {
    private static let attributes = AudioFileAttributes(metadata: MovieMetadata(title: "Long"))

    /// A file of that many bytes whose recorder died before it told any size; all but its head is a hole.
    private func deadWave(_ name: String, _ format: PCMFormat, size: UInt64, in folder: TemporaryFolder) throws
        -> FilePath
    {
        let path = FilePath(folder.file(name))
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? file.close() }
        let target = DescriptorFile(descriptor: file)
        try target.write(WaveLayout(format).head(Self.attributes, tailSize: 0), at: 0)
        try target.truncate(to: size)
        return path
    }

    @Test func `WAV of more than 4 GiB has its sizes in 64 bits`() async throws {
        let folder = try TemporaryFolder()
        let format = PCMFormat(sampleRate: 48_000, channels: 2, bits: 24)
        let path = try deadWave("long.wav", format, size: 5_000_000_000, in: folder)
        let movie = try MovieRecovery.recover(path)
        let headSize = try WaveLayout(format).head(Self.attributes, tailSize: 0).count
        let samples = (5_000_000_000 - headSize) / 6
        #expect(movie.samplesRecovered == samples)
        let report = try await FFProbe.inspect(path.string)
        #expect(report.audio.first?.codecName == "pcm_s24le")
        #expect(abs((report.format.duration?.value ?? 0) - Double(samples) / 48_000) < 0.001)
        let head = try ReadableFile.open(path) { (file) throws(MovieFileError) in try file.read(upTo: 48, at: 0) }
        #expect(head.starts(with: "RF64".utf8) && head[12...].starts(with: "ds64".utf8))
        #expect(throws: (any Error).self) { try MovieRecovery.recover(path) }
        #expect(try !MovieRecovery.isNeeded(path))
    }

    @Test(arguments: [UInt64(0), 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0xF_FFFF_FFFF])
    func `a FLAC frame keeps all but its number`(number: UInt64) throws {
        // A frame of 16 bits, mono, 4096 equal samples: subframe type constant.
        var frame: [UInt8] = [0xFF, 0xF8, 0xCA, 0x08, 0x05]
        frame.append(frame.reduce(0, CRC.eight))
        frame += [0x00, 0x12, 0x34]
        let sum = frame.reduce(0, CRC.sixteen)
        frame += [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
        let head = try #require(FLACFrame(frame))
        #expect(head.number == 5 && head.blockSize == 4096 && head.sampleRate == 48_000 && head.bits == 16)
        let new = FLACFrame.numbered(frame, head, number)
        let read = try #require(FLACFrame(new))
        #expect(read.number == number && read.blockSize == 4096 && read.channels == 1)
        #expect(new.reduce(0, CRC.sixteen) == 0)
        #expect(new.dropLast(2).suffix(3) == [0x00, 0x12, 0x34])
    }

    @Test(arguments: ["wav", "flac", "mp3"]) func `damaged files are recovered or refused, and nothing else happens`(
        ending: String
    ) async throws {
        let folder = try TemporaryFolder()
        let whole = folder.file("whole.\(ending)")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=0.2"]
                + (ending == "mp3" ? ["-q:a", "2"] : []) + [whole])
        let bytes = try Array(Data(contentsOf: URL(filePath: whole)))
        var random = SeededGenerator.printed(for: "damage of \(ending)")
        let path = FilePath(folder.file("damaged.\(ending)"))
        for round in 0..<400 {
            let damaged = random.damage(bytes, changes: round % 8, among: 200)
            try Data(damaged).write(to: URL(filePath: path.string))
            guard (try? MovieRecovery.recover(path)) != nil else { continue }
            #expect(throws: (any Error).self) { try MovieRecovery.recover(path) }
        }
    }

    @Test func `an MP3 file whose first frame is longer than ours stays as it is, cut off or not`() async throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.file("other.mp3"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-q:a", "2", path.string])
        var bytes = try Array(Data(contentsOf: URL(filePath: path.string)))
        let begin = try #require(ID3Tag.size(bytes))
        let size = try #require(MPEGAudioHeader(bytes[begin...])?.size)
        try Data(bytes.dropLast(100)).write(to: URL(filePath: path.string))
        #expect(MovieForm(path) == .mp3)
        // 192 kbit/s, as other programs have it.
        bytes[begin + 2] = 0xB0 | bytes[begin + 2] & 0x0F
        let longer = try #require(MPEGAudioHeader(bytes[begin...])?.size)
        try #require(longer > size)
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: longer - size), at: begin + size)
        bytes.removeLast(100)
        try Data(bytes).write(to: URL(filePath: path.string))
        #expect(MovieForm(path) == nil)
        #expect(throws: (any Error).self) { try MovieRecovery.recover(path) }
        #expect(try Array(Data(contentsOf: URL(filePath: path.string))) == bytes)
    }

    private func tone(_ name: String, in folder: TemporaryFolder) async throws -> (path: FilePath, bytes: [UInt8]) {
        let path = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2"] + [path])
        return (FilePath(path), try Array(Data(contentsOf: URL(filePath: path))))
    }

    @Test(arguments: ["smpl", "inst", "\u{1}\u{2}ab"])
    func `a complete WAV file with a chunk of another program behind its audio stays as it is`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let (path, whole) = try await tone("whole.wav", in: folder)
        var bytes = whole + Array(name.utf8) + [36, 0, 0, 0] + [UInt8](repeating: 7, count: 36)
        withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
        try Data(bytes).write(to: URL(filePath: path.string))
        #expect(try !MovieRecovery.isNeeded(path))
        #expect(throws: (any Error).self) { try MovieRecovery.recover(path) }
        #expect(try Array(Data(contentsOf: URL(filePath: path.string))) == bytes)
    }

    @Test(arguments: ["TAG", "APETAGEX", "ID3", "another program's"])
    func `a complete FLAC file with a tag behind its frames stays as it is`(tag: String) async throws {
        let folder = try TemporaryFolder()
        let (path, whole) = try await tone("whole.flac", in: folder)
        let bytes = whole + Array(tag.utf8) + [UInt8](repeating: 0x41, count: 128 - tag.utf8.count)
        try Data(bytes).write(to: URL(filePath: path.string))
        #expect(try !MovieRecovery.isNeeded(path))
        #expect(throws: (any Error).self) { try MovieRecovery.recover(path) }
        #expect(try Array(Data(contentsOf: URL(filePath: path.string))) == bytes)
    }

    @Test(arguments: [
        [0xFF], [0xFF, 0xF8], [0xFF, 0xF8, 0xC9, 0x18], Array("TAG".utf8) + [UInt8](repeating: 0, count: 125),
    ])
    func `a recording of FLAC keeps its last whole frame, whatever of the next one was written`(rest: [UInt8])
        async throws
    {
        let folder = try TemporaryFolder()
        let (path, whole) = try await tone("whole.flac", in: folder)
        var bytes = whole + rest
        // How many samples it has, which a recorder that died has not told.
        bytes[21] &= 0xF0
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        try Data(bytes).write(to: URL(filePath: path.string))
        let movie = try MovieRecovery.recover(path)
        #expect(movie.samplesRecovered == 88_200 && movie.bytesLost == UInt64(rest.count))
        try await FFmpeg.decode(path.string)
        #expect(try await FFmpeg.audio(of: path.string, rate: 44_100).count == 88_200)
    }

    @Test func `a FLAC file that was cut off keeps its whole frames`() async throws {
        let folder = try TemporaryFolder()
        let whole = folder.file("whole.flac")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2", whole])
        let bytes = try Data(contentsOf: URL(filePath: whole))
        let path = folder.file("cut.flac")
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
        let movie = try MovieRecovery.recover(FilePath(path))
        #expect(movie.bytesLost > 0)
        try await FFmpeg.decode(path)
        #expect(try await FFmpeg.audio(of: path, rate: 44_100).count == movie.samplesRecovered)
    }
}
