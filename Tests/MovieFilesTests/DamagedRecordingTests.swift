import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// What lies behind damage in a dead recording is intact, and is kept: by its copy, and in place above all.
@Suite struct DamagedRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Twelve fragments, of which each begins with a key frame.
    private func fragments(_ name: String, _ more: String = "") async throws -> [UInt8] {
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=6 -f lavfi -i sine=duration=6 "
                + "-c:v libx264 -threads 1 -preset ultrafast -bf 0 -g 25 -c:a aac \(more) "
                + "-movflags frag_keyframe+empty_moov+default_base_moof \(folder.file(name))")
        return try [UInt8](Data(contentsOf: URL(filePath: folder.file(name))))
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> URL {
        let url = URL(filePath: folder.file(name))
        try Data(bytes).write(to: url)
        return url
    }

    /// Where a word stands for the last time before the fourth fragment ends.
    private func place(of word: String, in bytes: [UInt8]) throws -> Int {
        let ends = try KilledRecordingTests.boxEnds(bytes, "mdat")
        return try #require(Data(bytes[..<ends[3]]).range(of: Data(word.utf8), options: .backwards)).lowerBound
    }

    @Test(arguments: ["a count", "the head of a fragment", "the head of its data", "the length of its data"])
    func `a movie in fragments that is damaged in the middle keeps all the others`(damage: String) async throws {
        var bytes = try await fragments("whole.mp4")
        let whole = try await Judge.packets(URL(filePath: folder.file("whole.mp4")), "v")
        let end = try #require(try KilledRecordingTests.boxEnds(bytes, "mdat").last)
        let fragment = try place(of: "moof", in: bytes)
        switch damage {
        case "a count":
            let place = try place(of: "trun", in: bytes)
            bytes.replaceSubrange(place + 8..<place + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
        case "the head of a fragment":
            bytes.replaceSubrange(fragment - 4..<fragment + 60, with: [UInt8](repeating: 0, count: 64))
        case "the head of its data":
            let place = try place(of: "mdat", in: bytes)
            bytes.replaceSubrange(place - 4..<place + 4, with: [UInt8](repeating: 0, count: 8))
        default:
            let place = try place(of: "mdat", in: bytes)
            bytes.replaceSubrange(place - 4..<place, with: [0x00, 0x80, 0x00, 0x00])
        }
        // And torn at the end, as by a kill.
        bytes.removeSubrange((end - 20)...)
        let dead = try write(bytes, "dead.mp4")
        let output = URL(filePath: folder.file("new.mp4"))
        let copy = try MovieRecovery.recover(FilePath(dead.path), to: FilePath(output.path))
        // The data's own head is none of the samples.
        let isIntact = damage.contains("of its data")
        #expect(copy.framesRecovered >= (isIntact ? 149 : 124) && copy.framesRecovered <= (isIntact ? 150 : 125))
        #expect(copy.losses.count == (isIntact ? 1 : 2), "\(copy.losses)")
        if let first = copy.losses.first, !isIntact {
            #expect(abs(first.time.seconds - 3) < 0.1, "\(copy.losses)")
            #expect(fragment - 4 == Int(first.offset))
        }
        #expect(copy.bytesLost == copy.losses.reduce(0) { $0 + $1.size })
        try await Judge.decodesWithoutAWord(output)
        let kept = try await Judge.packets(output, "v")
        #expect(Set(kept.map(\.checksum)).isSubset(of: Set(whole.map(\.checksum))))
        #expect(kept.count == copy.framesRecovered)
        let probe = try await Judge.ffprobe(output)
        #expect(abs((probe.video?.length ?? 0) - 6) < 0.1 && abs((probe.audio?.length ?? 0) - 6) < 0.1)
        #expect(try MovieRecovery.isNeeded(FilePath(dead.path)))
        let own = try MovieRecovery.recover(FilePath(dead.path))
        #expect(own.framesRecovered == copy.framesRecovered && own.losses == copy.losses)
        #expect(try Data(contentsOf: dead) == Data(contentsOf: output))
        #expect(try Data(contentsOf: dead).count > bytes.count - 20_000)
    }

    @Test func `a finished timelapse whose fragments are damaged is not continued, which would lose frames`()
        async throws
    {
        let path = FilePath(folder.file("day.mp4"))
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=4 -c:v libx264 -preset ultrafast "
                + "-bf 0 -g 25 -movflags frag_keyframe+empty_moov+default_base_moof \(path.string)")
        try MovieRecovery.recover(path)
        #expect(try ContinuedMovie(path).frameCount == 100)
        var bytes = try Data(contentsOf: URL(filePath: path.string))
        let place = try #require(bytes.range(of: Data("trun".utf8))).upperBound + 4
        bytes.replaceSubrange(place..<place + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        try bytes.write(to: URL(filePath: path.string))
        try await Judge.decodesWithoutAWord(URL(filePath: path.string))
        #expect(throws: MovieFileError.self) { try ContinuedMovie(path) }
    }

    @Test func `recordings that were appended to each other are one movie`() async throws {
        let bytes = try await fragments("one.mp4")
        let url = try write(bytes + bytes, "both.mp4")
        let output = URL(filePath: folder.file("new.mp4"))
        let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
        #expect(copy.framesRecovered == 300 && copy.complete && copy.otherMovie == nil)
        let packets = try await Judge.packets(output, "v")
        let half = try await Judge.packets(URL(filePath: folder.file("one.mp4")), "v").map(\.checksum)
        #expect(packets.map(\.checksum) == half + half)
        try await Judge.decodesWithoutAWord(output)
        let probe = try await Judge.ffprobe(output)
        #expect(abs((probe.video?.length ?? 0) - 12) < 0.1 && abs((probe.audio?.length ?? 0) - 12) < 0.1)
        _ = try MovieRecovery.recover(FilePath(url.path))
        #expect(try Data(contentsOf: url) == Data(contentsOf: output))
    }

    /// The same movie with its head before every so manieth fragment.
    private func segments(_ bytes: [UInt8], every count: Int) throws -> [UInt8] {
        var (place, number, head, segments) = (0, 0, [UInt8](), [UInt8]())
        while place + 8 <= bytes.count {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            let box = bytes[place..<place + size]
            if type == "moof" {
                if number > 0, number % count == 0 { segments += head }
                number += 1
            }
            if type == "ftyp" || type == "moov" { head += box }
            if type != "mfra" { segments += box }
            place += size
        }
        try #require(number > 5)
        return segments
    }

    @Test(arguments: [1, 2]) func `a movie that is sent in segments with a head each keeps its times`(count: Int)
        async throws
    {
        let bytes = try await fragments("one.mp4")
        let plain = URL(filePath: folder.file("plain.mp4"))
        try MovieRecovery.recover(FilePath(folder.file("one.mp4")), to: FilePath(plain.path))
        // Twice, as if it had been recorded again behind itself.
        let segments = try segments(bytes, every: count)
        for times in 1...2 {
            let name = "segments\(times)"
            let url = try write(times == 1 ? segments : segments + segments, "\(name).mp4")
            let output = URL(filePath: folder.file("\(name).new.mp4"))
            let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
            #expect(copy.framesRecovered == 150 * times && copy.complete)
            try await Judge.decodesWithoutAWord(output)
            for (kind, timescale) in [("v", 12_800.0), ("a", 44_100)] {
                func seconds(_ frame: Judge.Frame) -> Double { Double(frame.presentationTime) / timescale }
                let wanted = try await Judge.packets(plain, kind)
                let packets = try await Judge.packets(output, kind)
                #expect(packets.map(\.checksum) == (1...times).flatMap { _ in wanted.map(\.checksum) })
                let own = packets.prefix(wanted.count)
                #expect(zip(own, wanted).allSatisfy { abs(seconds($0) - seconds($1)) < 0.001 })
                // The second lies behind the longest track of the first, all of it by the same time.
                guard times == 2 else { continue }
                let seams = zip(packets.dropFirst(wanted.count), wanted).map { seconds($0) - seconds($1) }
                #expect(seams.allSatisfy { abs($0 - copy.duration.seconds / 2) < 0.03 }, "\(seams.prefix(3))")
            }
            let probe = try await Judge.ffprobe(output)
            let length = Double(6 * times)
            #expect(abs((probe.video?.length ?? 0) - length) < 0.1 && abs((probe.audio?.length ?? 0) - length) < 0.1)
        }
    }

    @Test func `a recording that was appended to one that is cut off follows it`() async throws {
        let bytes = try await fragments("one.mp4")
        let end = try #require(try KilledRecordingTests.boxEnds(bytes, "mdat").dropLast(1).last) - 500
        let url = try write(bytes.prefix(end) + bytes, "both.mp4")
        let cut = try write(Array(bytes.prefix(end)), "cut.mp4")
        let first = try MovieRecovery.recover(FilePath(cut.path))
        let output = URL(filePath: folder.file("new.mp4"))
        let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
        #expect(copy.framesRecovered == first.framesRecovered + 150 && copy.otherMovie == nil)
        #expect(copy.losses.count == 1 && copy.bytesLost <= 500 + first.bytesLost, "\(copy.losses)")
        try await Judge.decodesWithoutAWord(output)
        let probe = try await Judge.ffprobe(output)
        let seconds = first.duration.seconds + 6
        #expect(abs((probe.video?.length ?? 0) - seconds) < 0.1 && abs((probe.audio?.length ?? 0) - seconds) < 0.1)
        let other = try await fragments("other.mp4", "-s 320x240")
        let mixed = try write(bytes.prefix(end) + other, "mixed.mp4")
        #expect { try MovieRecovery.recover(FilePath(mixed.path)) } throws: {
            "\($0)".contains("another movie begins at byte \(end)")
        }
        let part = try MovieRecovery.recover(FilePath(mixed.path), to: FilePath(output.path), replacing: true)
        #expect(part.framesRecovered == first.framesRecovered && part.otherMovie == UInt64(end))
        try await Judge.decodesWithoutAWord(output)
    }

    @Test(arguments: ["another recording", "a finished movie"])
    func `another movie behind a recording is never cut off`(kind: String) async throws {
        let bytes = try await fragments("one.mp4")
        let other = try await fragments("other.mp4", "-s 320x240")
        if kind == "a finished movie" { try MovieRecovery.recover(FilePath(folder.file("other.mp4"))) }
        let behind = try [UInt8](Data(contentsOf: URL(filePath: folder.file("other.mp4"))))
        #expect(behind.count >= other.count)
        let url = try write(bytes + behind, "both.mp4")
        #expect { try MovieRecovery.recover(FilePath(url.path)) } throws: {
            "\($0)".contains("another movie begins at byte \(bytes.count)")
        }
        #expect(try [UInt8](Data(contentsOf: url)) == bytes + behind)
        let output = URL(filePath: folder.file("new.mp4"))
        let copy = try MovieRecovery.recover(FilePath(url.path), to: FilePath(output.path))
        #expect(copy.framesRecovered == 150 && !copy.complete)
        #expect(copy.otherMovie == UInt64(bytes.count) && copy.bytesLost == UInt64(behind.count))
        try await Judge.decodesWithoutAWord(output)
    }
}

/// The same of what has no index.
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
        #expect(abs(movie.duration.seconds - Double(length) / 44_100) < 0.001)
        let probe = try await Judge.ffprobe(url)
        #expect(abs((probe.format.duration.flatMap(Double.init) ?? 0) - Double(length) / 44_100) < 0.001)
        #expect(try await samples(url) > length - 3 * 4608)
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

    @Test func `Matroska behind Matroska is never cut off`() async throws {
        let bytes = try await killed()
        let url = URL(filePath: folder.file("both.mkv"))
        try Data(bytes + bytes).write(to: url)
        #expect { try MovieRecovery.recover(FilePath(url.path)) } throws: {
            "\($0)".contains("another movie begins at byte \(bytes.count)")
        }
        #expect(try [UInt8](Data(contentsOf: url)) == bytes + bytes)
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
