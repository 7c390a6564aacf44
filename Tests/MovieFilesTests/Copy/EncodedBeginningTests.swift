import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

@Suite("An encoded beginning")
struct EncodedBeginningTests {
    private static let source = "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=2"
    private static let straight = "-c:v libx264 -preset ultrafast -bf 0 -crf 10 -pix_fmt yuv420p"
    private static let original = "-c:v libx264 -preset veryfast -g 20 -sc_threshold 0 -bf 2 -pix_fmt yuv420p"

    private static let made = Made<String, URL>()

    private func make(_ options: String, _ filter: String = "null") async throws -> URL {
        try await Self.made.value("\(filter) \(options)") {
            let url = Scratch.directory.unique("mp4")
            try await Tool.shell("\(Self.source) -vf \(filter) \(options) \(url.path)")
            return url
        }
    }

    /// Copies from 1 s on, where the next key frame is at 1.6 s.
    private func copy(_ original: URL, beginning: URL) throws -> (url: URL, copy: MovieCopy) {
        let (url, scratch) = (Scratch.directory.unique("mov"), Scratch.directory.unique("bin"))
        let storage = try FileDescriptor.open(
            FilePath(scratch.path), .readWrite, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { try? storage.close() }
        let movie = try MovieOriginal(FilePath(original.path))
        let encoded = try EncodedBeginning(
            MovieOriginal(FilePath(beginning.path)), before: movie, storage: storage)
        let copy = try MovieCopy(
            of: movie, options: .init(fileType: .mov, timeRange: .seconds(1, 2)), beginningWith: encoded)
        try copy.write(to: FilePath(url.path))
        return (url, copy)
    }

    @Test("stands before the copied frames, whatever its profile", arguments: ["baseline", "main", "high"])
    func profiles(_ profile: String) async throws {
        let original = try await make(Self.original + " -profile:v main")
        let head = try await make("\(Self.straight) -profile:v \(profile)", "trim=1:1.6,setpts=PTS-STARTPTS")
        let (url, copy) = try copy(original, beginning: head)
        #expect(copy.beginning?.frameCount == 15)
        #expect(copy.firstFrameTime == .second)
        try await Judge.decodesWithoutAWord(url)
        let played = try await Tool.run(
            "gst-launch-1.0",
            ["-q", "filesrc", "location=\(url.path)", "!", "qtdemux", "!", "decodebin", "!", "fakesink"])
        #expect(played.status == 0 && !played.errors.contains("ERROR"), "\(played.errors)")
        let all = try await Judge.shownFrames(original)
        let shown = try await Judge.shownFrames(url)
        #expect(shown.count == 25)
        #expect(shown.dropFirst(15).map(\.checksum) == all.dropFirst(40).map(\.checksum))
        #expect(shown.prefix(15).map(\.checksum) == (try await Judge.shownFrames(head)).map(\.checksum))
        for (index, frame) in shown.enumerated() { #expect(abs(frame.time - Double(index) / 25) < 0.0005) }
        let packets = try await Judge.allPackets(url)[0]
        #expect(packets.filter { $0.flags.hasPrefix("K") }.map { ($0.presentation * 25).rounded() } == [0, 15])
    }

    @Test(
        "is refused where it cannot stand there",
        arguments: [
            straight + " -bf 2 -x264-params b-adapt=0", straight + " -s 128x96", "-c:v libx264 -bf 0 -pix_fmt yuv444p",
            "-c:v mpeg4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=0 -tag:v hvc1",
        ])
    func refused(_ options: String) async throws {
        let original = try await make(Self.original)
        let head = try await make(options, "trim=1:1.6,setpts=PTS-STARTPTS")
        #expect(throws: MovieFileError.self) { try self.copy(original, beginning: head) }
    }

    @Test("has to have as many frames as come before the first group")
    func count() async throws {
        let original = try await make(Self.original)
        let head = try await make(Self.straight, "trim=1:1.5,setpts=PTS-STARTPTS")
        #expect(throws: MovieFileError.self) { try self.copy(original, beginning: head) }
    }

    @Test("is not asked for where the part begins with a key frame, or has none", arguments: [0.8..<2, 1.0..<1.5])
    func none(_ part: Range<Double>) async throws {
        let original = try await make(Self.original)
        #expect(
            try MovieCopy.copied(original, .init(timeRange: .seconds(part.lowerBound, part.upperBound))).copy.beginning
                == nil)
    }

    @Test("of damaged files ends in an error or in a copy")
    func damaged() async throws {
        let original = try await make(Self.original)
        let head = try await make(Self.straight, "trim=1:1.6,setpts=PTS-STARTPTS")
        let bytes = try Data(contentsOf: head)
        let index = try #require(bytes.range(of: Data("avcC".utf8))).lowerBound
        var random = SeededGenerator(state: 11)
        for round in 0..<60 {
            var damaged = bytes
            // In the parameter sets, and in the frames.
            let places = round % 2 == 0 ? index..<index + 60 : 48..<2000
            for _ in 0..<3 { damaged[Int.random(in: places, using: &random)] = .random(in: 0...255, using: &random) }
            let url = Scratch.directory.unique("mp4")
            try damaged.write(to: url)
            _ = try? copy(original, beginning: url)
        }
    }
}

@Suite("Numbers of parameter sets")
struct ParameterSetNumberTests {
    @Test("numbers are written as they are read", arguments: [0, 1, 2, 14, 15, 30, 31, 254])
    func numbers(_ number: Int) throws {
        var writer = BitWriter()
        writer.append(5, count: 3)
        writer.append(number: number)
        writer.append(1, count: 1)
        var reader = ExpGolombReader(writer.bytes)
        #expect(try reader.bits(3) == 5)
        #expect(try reader.unsigned() == number)
        #expect(try reader.flag())
    }

    @Test("what keeps start codes out of a unit comes and goes")
    func escapes() {
        let payload: [UInt8] = [0x65, 0, 0, 1, 0, 0, 0, 0, 3, 7, 0, 0]
        let unit = NALUnits.escaped(payload)
        #expect(unit == [0x65, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 3, 7, 0, 0, 3])
        #expect(NALUnits.unescaped(unit) == payload)
    }

    @Test("lengths that do not fill a sample are refused")
    func lengths() {
        #expect(NALUnits.split([0, 0, 0, 1, 9, 0, 0, 0, 2, 7, 8], lengthSize: 4)?.map(Array.init) == [[9], [7, 8]])
        #expect(NALUnits.split([0, 0, 0, 2, 9], lengthSize: 4) == nil)
        #expect(NALUnits.split([0, 0, 0, 0], lengthSize: 4) == nil)
        #expect(NALUnits.split([0, 0, 0], lengthSize: 4) == nil)
    }
}
