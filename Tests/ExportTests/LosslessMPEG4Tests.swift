import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// MPEG-4 ALS, which GStreamer takes for AAC (1.22). No encoder is at hand: AAC of ffmpeg's is told to be that, its packets become silent ones.
@Suite(.timeLimit(.minutes(2)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LosslessMPEG4Tests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Object type 36, 48 kHz, one channel (ISO/IEC 14496-3, 1.6.2.1), and 16 bits in frames of 1024 samples without anything else (11.3.1).
    private static var configuration: [UInt8] {
        var bytes: [UInt8] = [0b1111_1000, 0b1000_0110, 0b0010_0000] + Array("ALS\0".utf8)
        for number in [48_000, UInt32.max] { bytes += withUnsafeBytes(of: number.bigEndian, Array.init) }
        return bytes + [0, 0, 0b0000_0100, 0x03, 0xFF, 0] + [UInt8](repeating: 0, count: 12)
    }

    /// - Returns: how many packets there are.
    private func makeInput() async throws -> Int {
        try await make("aac.m4a", "-map 1:a -ar 48000 -ac 1 -c:a aac")
        var bytes = Array(try Data(contentsOf: URL(filePath: folder.file("aac.m4a"))))
        func place(_ text: [UInt8]) throws -> Int { try #require(Data(bytes).firstRange(of: Data(text))).lowerBound }
        let descriptor = try place([5, 0x80, 0x80, 0x80])
        let (old, new) = (Int(bytes[descriptor + 4]), Self.configuration)
        bytes[descriptor + 4] = UInt8(new.count)
        bytes.replaceSubrange(descriptor + 5..<descriptor + 5 + old, with: new)
        let longer = new.count - old
        for tag: UInt8 in [3, 4] { bytes[try place([tag, 0x80, 0x80, 0x80]) + 4] += UInt8(longer) }
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func write(_ value: Int, _ place: Int) {
            bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(value).bigEndian, Array.init))
        }
        for box in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "mp4a", "esds"] {
            let head = try place(Array(box.utf8)) - 4
            write(number(head) + longer, head)
        }
        // A packet of a byte: a frame that is 0 throughout.
        let media = try place(Array("mdat".utf8))
        for index in media + 4..<media - 4 + number(media - 4) { bytes[index] = 0 }
        let sizes = try place(Array("stsz".utf8)) + 12
        for index in 1...number(sizes) { write(1, sizes + 4 * index) }
        try Data(bytes).write(to: URL(filePath: folder.file("in.m4a")))
        return number(sizes)
    }

    @Test func `it is decoded and called what it is where it cannot be copied`() async throws {
        let count = try await makeInput()
        let result = try await export("in.m4a", to: "out.mkv", "copy")
        #expect(try await decoded("out.mkv").audio >= (count - 1) * 1024, "\(result.notes)")
        #expect(
            result.notes.contains { $0.contains("mp4als") } && !result.notes.contains { $0.contains("AAC") },
            "\(result.notes)")
    }
}
