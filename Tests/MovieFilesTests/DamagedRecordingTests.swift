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

    /// Six fragments, of which each begins with a key frame.
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
