import GStreamer
import MediaTypes
import Threads

/// What of the last packet of encoded audio is not presented, as Matroska says it (DiscardPadding, RFC 9559 section 5.1.3.5.7).
///
/// An encoder fills its last packet. matroskamux (1.22) says so of Opus alone, and of the others how long the packet lasts (BlockDuration), by
/// which no decoder cuts. So the packet brings the element with it, behind its own bytes, and on the way to the file the size of the
/// block is made smaller by it: what stands behind the block in its group is the element then, and nothing moves.
final class PacketEnds: Sendable {
    /// How long each track's packets last; nil where the last one does not tell how much of it is audio.
    private let wholes: [MediaTime?]
    /// How long those last that are on their way, by how many bytes they have with their block's head.
    private let pending = Locked<[Int: MediaTime]>([:])

    /// - Returns: nil where no track's last packet tells.
    init?(_ wholes: [MediaTime?]) {
        guard wholes.contains(where: { $0 != nil }) else { return nil }
        self.wholes = wholes
    }

    /// The least that is not rounding.
    private static let least = 10 * MediaTime.microsecond
    /// What a duration has to lack for the muxer to write it, which it does in a group.
    private static let told = 3 * MediaTime.millisecond
    /// The identifier, the size and four bytes of nanoseconds.
    private static let elementSize = 7
    /// The number of the track, the time and the flags, before a block's bytes.
    private static let headSize = 4
    /// More than the muxer writes before the bytes of a block.
    private static let longestHead = 64

    /// A packet with what is to be said of its end, where it lasts longer than it says; any other as it is.
    func mark(_ packet: Sample, of track: Int) -> Sample {
        guard let whole = wholes[track], let buffer = packet.buffer, let duration = buffer.duration,
            let caps = packet.caps, duration > .zero, whole - duration > Self.least,
            let bytes = try? buffer.withBytes({ Array($0) })
        else { return packet }
        let left = UInt32(clamping: (whole - duration).nanoseconds)
        let element: [UInt8] = [0x75, 0xA2, 0x84] + withUnsafeBytes(of: left.bigEndian) { Array($0) }
        pending.withLock { $0[bytes.count + element.count + Self.headSize] = duration }
        let marked = buffer.replacingBytes(with: bytes + element).retimed(
            presentationTime: buffer.presentationTime, decodeTime: buffer.decodeTime,
            duration: min(duration, whole - Self.told))
        return packet.with(marked, caps)
    }

    /// Makes the block of a marked packet end before the element, in what the muxer hands out before the packet's bytes.
    func restore(_ buffer: inout Buffer) {
        guard buffer.byteCount <= Self.longestHead, pending.withLock({ !$0.isEmpty }),
            (try? buffer.withBytes { $0.first == 0xA0 }) == true
        else { return }
        try? buffer.withMutableBytes { bytes in
            for place in bytes.indices where bytes[place] == 0xA1 {
                guard let (size, length) = Self.size(bytes, at: place + 1),
                    let duration = pending.withLock({ $0.removeValue(forKey: size) })
                else { continue }
                Self.write(size - Self.elementSize, bytes, at: place + 1, length: length)
                // A duration of one byte stands between both heads.
                if place >= 3, bytes[place - 3] == 0x9B, bytes[place - 2] == 0x81 {
                    bytes[place - 1] = UInt8(clamping: Int((duration.seconds * 1000).rounded()))
                }
                return
            }
        }
    }

    /// A size as EBML writes it (RFC 8794 section 4), and how many bytes it has.
    private static func size(_ bytes: UnsafeMutableRawBufferPointer, at place: Int) -> (size: Int, length: Int)? {
        guard place < bytes.count else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard length <= 7, place + length <= bytes.count else { return nil }
        let number = bytes[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
        return (number & (1 << (7 * length) - 1), length)
    }

    private static func write(_ size: Int, _ bytes: UnsafeMutableRawBufferPointer, at place: Int, length: Int) {
        let number = size | 1 << (7 * length)
        for index in 0..<length {
            bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * (length - 1 - index)))
        }
    }
}
