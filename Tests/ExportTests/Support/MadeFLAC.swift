import Foundation
import TestSupport

/// FLAC whose blocks are of several lengths, which no encoder here makes: the frames of two files behind the head of one.
enum MadeFLAC {
    /// - Parameters:
    ///   - first: whose head is taken; both of the same rate, channels and bits.
    static func variable(_ first: String, _ second: String) async throws -> Data {
        let (early, late) = (try await frames(of: first), try await frames(of: second))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: first)))
        var head = Array(bytes[..<(bytes.count - early.reduce(0) { $0 + $1.bytes.count })])
        // The shortest and longest block, and frames of any size; then, behind rate, channels and bits, how many samples there are. No
        // checksum.
        head.replaceSubrange(8..<18, with: [0, 16, 0x10, 0, 0, 0, 0, 0, 0, 0])
        let count = UInt32((early + late).reduce(0) { $0 + $1.samples })
        withUnsafeBytes(of: count.bigEndian) { head.replaceSubrange(22..<26, with: $0) }
        head.replaceSubrange(26..<42, with: [UInt8](repeating: 0, count: 16))
        var samples = 0
        for frame in early + late {
            head += counted(frame.bytes, from: samples)
            samples += frame.samples
        }
        return Data(head)
    }

    private static func frames(of path: String) async throws -> [(bytes: [UInt8], samples: Int)] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let words = ["-v", "error", "-show_entries", "packet=duration,size,pos", "-of", "csv=p=0", path]
        return try await Tool.succeed("ffprobe", words).text.split(whereSeparator: \.isNewline).map { line in
            let numbers = line.split(separator: ",").compactMap { Int($0) }
            return (Array(bytes[numbers[2]..<numbers[2] + numbers[1]]), numbers[0])
        }
    }

    /// The same frame, which counts samples and not frames (RFC 9639, section 9.1).
    private static func counted(_ frame: [UInt8], from sample: Int) -> [UInt8] {
        let old = frame[4] < 0x80 ? 1 : (~frame[4]).leadingZeroBitCount
        let extra = [6: 1, 7: 2][frame[2] >> 4] ?? 0
        var new = [frame[0], frame[1] | 1, frame[2], frame[3]]
        // As UTF-8 writes numbers of up to 21 bits, in four bytes.
        new += [0xF0 | UInt8(sample >> 18)] + [12, 6, 0].map { 0x80 | UInt8(sample >> $0 & 0x3F) }
        new += frame[(4 + old)..<(4 + old + extra)]
        new.append(new.reduce(0, crc8))
        new += frame[(5 + old + extra)..<(frame.count - 2)]
        let sum = new.reduce(0, crc16)
        return new + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
    }

    private static func crc8(_ sum: UInt8, _ byte: UInt8) -> UInt8 {
        (0..<8).reduce(sum ^ byte) { rest, _ in rest & 0x80 == 0 ? rest << 1 : rest << 1 ^ 0x07 }
    }

    private static func crc16(_ sum: UInt16, _ byte: UInt8) -> UInt16 {
        (0..<8).reduce(sum ^ UInt16(byte) << 8) { rest, _ in rest & 0x8000 == 0 ? rest << 1 : rest << 1 ^ 0x8005 }
    }
}
