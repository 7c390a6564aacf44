import Foundation

/// Who turns a receiver on in the middle of a broadcast.
enum LateReceiver {
    /// Leaves out what a transport stream of ffmpeg's has before the second key frame.
    static func record(_ path: String, to output: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
        // A payload begins, and its adaptation field says that a decoder may, too (ISO/IEC 13818-1, 2.4.3.5).
        let keys = packets.indices.filter { index in
            let (packet, at) = (packets[index], packets[index].startIndex)
            let isVideo = packet[at + 1] & 0x1F == 1 && packet[at + 2] == 0
            return isVideo && packet[at + 1] & 0x40 != 0 && packet[at + 3] & 0x20 != 0 && packet[at + 5] & 0x40 != 0
        }
        // The tables come first.
        try Data((packets[..<3] + packets[keys[1]...]).joined()).write(to: URL(filePath: output))
    }
}
