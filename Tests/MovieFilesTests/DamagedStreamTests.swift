import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing
@testable import MovieFiles

/// Recordings without an index that are damaged: what is intact is kept.
@Suite struct DamagedStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tone(_ name: String) async throws -> [UInt8] {
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i anoisesrc=amplitude=0.3:duration=8:seed=3:r=44100 \(folder.file(name))"
        )
        return try [UInt8](Data(contentsOf: URL(filePath: folder.file(name))))
    }

    private func samples(_ url: URL) async throws -> Int {
        try await FFmpeg.audio(of: url.path, rate: 44_100).count
    }

    @Test(arguments: [true, false]) func `FLAC keeps what lies behind damage`(isDead: Bool) async throws {
        var bytes = try await tone("whole.flac")
        let length = try await samples(URL(filePath: folder.file("whole.flac")))
        // How many samples it has, which a recorder that died has not told.
        if isDead { bytes.replaceSubrange(21..<26, with: [bytes[21] & 0xF0, 0, 0, 0, 0]) }
        let place = bytes.count / 4
        bytes.replaceSubrange(place..<place + (isDead ? 512 : 2), with: [UInt8](repeating: 0, count: isDead ? 512 : 2))
        let url = URL(filePath: folder.file("dead.flac"))
        try Data(bytes).write(to: url)
        guard isDead else {
            #expect { try MovieRecovery.recover(FilePath(url.path)) } throws: { "\($0)".contains("damaged at ") }
            #expect(try !MovieRecovery.isNeeded(FilePath(url.path)))
            #expect(try [UInt8](Data(contentsOf: url)) == bytes)
            return
        }
        let movie = try MovieRecovery.recover(FilePath(url.path))
        #expect(try Data(contentsOf: url).count == bytes.count)
        #expect(
            movie.losses.count == 1 && movie.losses.allSatisfy { abs($0.time.seconds - 2) < 0.3 }, "\(movie.losses)")
        #expect(movie.samplesRecovered < length && movie.samplesRecovered > length - 3 * 4608)
        let seconds = Double(length) / 44_100
        #expect(abs(movie.duration.seconds - seconds) < 0.001)
        let told = try await Judge.ffprobe(url).format.duration.flatMap(Double.init) ?? 0
        #expect(abs(told - seconds) < 0.001)
        #expect(try await samples(url) > length - 3 * 4608)
    }

    @Test func `a complete FLAC file is left alone whatever is behind it, another one too`() async throws {
        let bytes = try await tone("whole.flac")
        let url = URL(filePath: folder.file("both.flac"))
        try Data(bytes + bytes).write(to: url)
        #expect(try !MovieRecovery.isNeeded(FilePath(url.path)))
        #expect { try MovieRecovery.recover(FilePath(url.path)) } throws: { "\($0)".contains("already complete") }
        #expect(try [UInt8](Data(contentsOf: url)) == bytes + bytes)
    }

    @Test func `a FLAC file behind another is never cut off`() async throws {
        let bytes = try await tone("whole.flac")
        let url = URL(filePath: folder.file("both.flac"))
        var dead = bytes
        dead.replaceSubrange(21..<26, with: [bytes[21] & 0xF0, 0, 0, 0, 0])
        try Data(dead + bytes).write(to: url)
        let movie = try MovieRecovery.recover(FilePath(url.path))
        #expect(try Data(contentsOf: url).count == 2 * bytes.count)
        #expect(movie.samplesRecovered == 2 * 8 * 44_100)
    }

    @Test(arguments: [("smpl", 0), ("PAD ", 128), ("\u{1}\u{2}ab", 0)])
    func `a complete WAV file keeps what other programs put behind its audio`(chunk: String, tag: Int) async throws {
        let whole = try await tone("whole.wav")
        var bytes = whole + Array(chunk.utf8) + [36, 0, 0, 0] + [UInt8](repeating: 7, count: 36)
        bytes += [UInt8](repeating: 0x54, count: tag)
        // The head tells of neither; or of what is there.
        if chunk.hasPrefix("\u{1}") {
            withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
        }
        let url = URL(filePath: folder.file("other.wav"))
        try Data(bytes).write(to: url)
        #expect(try !MovieRecovery.isNeeded(FilePath(url.path)))
        #expect(throws: (any Error).self) { try MovieRecovery.recover(FilePath(url.path)) }
        #expect(try [UInt8](Data(contentsOf: url)) == bytes)
    }

    /// What GStreamer's muxer has written when an error ends it, as a kill does.
    private func killed() async throws -> [UInt8] {
        let url = folder.file("killed.mkv")
        try await Tool.shell(
            "! gst-launch-1.0 -q videotestsrc ! video/x-raw,width=160,height=120,framerate=25/1 "
                + "! x264enc bframes=0 key-int-max=25 threads=1 ! h264parse ! queue ! matroskamux name=m "
                + "min-cluster-duration=1000000000 max-cluster-duration=1000000000 "
                + "! filesink buffer-mode=unbuffered location=\(url) "
                + "audiotestsrc samplesperbuffer=1024 ! identity error-after=260 ! audio/x-raw,rate=44100 ! avenc_aac "
                + "! queue ! m. 2>/dev/null")
        return try [UInt8](Data(contentsOf: URL(filePath: url)))
    }

    /// Where the blocks of a cluster begin.
    private func blocks(of bytes: [UInt8], from cluster: Int) -> [Int] {
        var (place, found) = (cluster, [Int]())
        while let header = ElementHeader(bytes[place...].prefix(12), at: UInt64(place)) {
            if header.id == .simpleBlock { found.append(place) }
            guard header.id != .cluster || place == cluster else { break }
            place = Int(header.id == .cluster ? header.dataOffset : header.end ?? .max)
            guard place < bytes.count else { break }
        }
        return found
    }

    @Test(arguments: ["the head of a cluster", "a block", "the length of a block", "a block of the last cluster"])
    func `Matroska keeps what lies behind damage`(damage: String) async throws {
        var bytes = try await killed()
        let clusters = Data(bytes).indices.filter { bytes[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) }
        try #require(clusters.count > 4)
        // The last cluster has some blocks, and does not say how long it is.
        if damage.contains("last") {
            bytes.removeSubrange((clusters[clusters.count - 1])...)
            bytes.replaceSubrange(
                clusters[clusters.count - 2] + 4..<clusters[clusters.count - 2] + 12,
                with: [0x01] + [UInt8](repeating: 0xFF, count: 7))
        }
        try Data(bytes).write(to: URL(filePath: folder.file("whole.mkv")))
        let whole = try await Judge.packets(URL(filePath: folder.file("whole.mkv")), "v")
        switch damage {
        case "the head of a cluster":
            bytes.replaceSubrange(clusters[2]..<clusters[2] + 64, with: [UInt8](repeating: 0, count: 64))
        default:
            let blocks = blocks(of: bytes, from: damage.contains("last") ? clusters[clusters.count - 2] : clusters[2])
            try #require(blocks.count > 12)
            let block = blocks[blocks.count / 2]
            if damage == "the length of a block" {
                bytes.replaceSubrange(block + 1..<block + 3, with: [0x43, 0x11])
            } else {
                bytes.replaceSubrange(block..<block + 4, with: [0, 0, 0, 0])
            }
        }
        let url = URL(filePath: folder.file("dead.mkv"))
        try Data(bytes).write(to: url)
        let output = URL(filePath: folder.file("new.mkv"))
        let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
        let lost = whole.count - copy.framesRecovered
        #expect(lost <= (damage == "the head of a cluster" ? 26 : 3), "\(lost) of \(whole.count), \(copy.losses)")
        #expect(copy.losses.contains { $0.time < copy.duration })
        let own = try MovieRecovery.recover(FilePath(url.path))
        #expect(own.losses == copy.losses)
        #expect(try Data(contentsOf: url) == Data(contentsOf: output))
        let kept = try await Judge.packets(output, "v")
        #expect(kept.count == copy.framesRecovered)
        #expect(Set(kept.map(\.checksum)).isSubset(of: Set(whole.map(\.checksum))))
        let seconds = try await Judge.ffprobe(output).format.duration.flatMap(Double.init)
        #expect(abs((seconds ?? 0) - Double(whole.count) / 25) < 0.3)
        // Damage is no longer there for a reader.
        let read = try await Tool.run("ffprobe", ["-v", "warning", "-show_packets", output.path])
        #expect(read.errors.isEmpty, "\(read.errors)")
        #expect(throws: (any Error).self) { try MovieRecovery.recover(FilePath(url.path)) }
    }

    /// Also of one that is cut off within a block, whose length then reaches into the other.
    @Test(arguments: [0, 100]) func `Matroska behind Matroska is never cut off`(cut: Int) async throws {
        let whole = try await killed()
        let bytes = Array(whole.dropLast(cut))
        try Data(bytes).write(to: URL(filePath: folder.file("killed.mkv")))
        let url = URL(filePath: folder.file("both.mkv"))
        try Data(bytes + whole).write(to: url)
        #expect { try MovieRecovery.recover(FilePath(url.path)) } throws: {
            "\($0)".contains("another movie begins at byte \(bytes.count)")
        }
        #expect(try [UInt8](Data(contentsOf: url)) == bytes + whole)
        let output = URL(filePath: folder.file("new.mkv"))
        let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
        let alone = try MovieRecovery.recover(FilePath(folder.file("killed.mkv")))
        #expect(copy.framesRecovered == alone.framesRecovered && copy.otherMovie == UInt64(bytes.count))
        try await Judge.decodesWithoutAWord(output)
    }

    @Test func `the checksum of a head whose length is corrected is right`() async throws {
        let whole = URL(filePath: folder.file("whole.mkv"))
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=4 -c:v libx264 -threads 1 "
                + "-preset ultrafast -g 25 -cluster_time_limit 1000 \(whole.path)")
        let bytes = try [UInt8](Data(contentsOf: whole))
        let cut = URL(filePath: folder.file("cut.mkv"))
        try Data(bytes.prefix(bytes.count * 2 / 3)).write(to: cut)
        try MovieRecovery.recover(FilePath(cut.path))
        let completed = try [UInt8](Data(contentsOf: cut))
        for file in [bytes, completed] {
            let place = try #require(Data(file).range(of: Data([0x15, 0x49, 0xA9, 0x66]), options: .backwards))
                .lowerBound
            let info = try #require(ElementHeader(file[place...].prefix(12), at: UInt64(place)))
            let data = file[Int(info.dataOffset)..<Int(info.end ?? 0)]
            // BF, four bytes, then what it is of.
            try #require(data.starts(with: [0xBF, 0x84]))
            let told = data.dropFirst(2).prefix(4).map { String($0) }.joined(separator: ",")
            let text = data.dropFirst(6).map { String($0) }.joined(separator: ",")
            let python = "import zlib; print(list(zlib.crc32(bytes([\(text)])).to_bytes(4, 'little')) == [\(told)])"
            #expect(try await Tool.run("python3", ["-c", python]).text.hasPrefix("True"))
        }
        #expect(try await Judge.ffprobe(cut).video != nil)
        let seconds = try await Judge.ffprobe(cut).format.duration.flatMap(Double.init) ?? 0
        #expect(seconds > 2 && seconds < 3.5)
    }
}
