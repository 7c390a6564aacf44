import GStreamer
import SystemPackage

/// Lets tsdemux (1.22) take the times of a transport stream's packets as they are.
///
/// It counts them from the clock (PCR), of which a value should come every 100 ms (ISO/IEC 13818-1, 2.7.2); segmenters for the web write one with
/// each key frame. Two that lie more than half a second apart are a discontinuity to it, and it guesses by the bit rate how much time has passed,
/// so that half of the stream's length may be lost. With one value alone it counts all times from that, so all others are hidden from it.
///
/// What is shown, or decoded, before the first value has no time for it, the first key frame of many segments among them: so that value is made
/// to be earlier. Nobody minds, as all times count from the first packet.
struct TransportClock: Sendable {
    /// Where in the file the flags lie that say that a packet has a clock value, in order.
    private let hidden: [UInt64]
    /// The first value of the clock and where it lies in the file.
    private let first: (place: UInt64, bytes: [UInt8])?

    private static let flag: UInt8 = 0x10

    /// nil where tsdemux understands the clock, where it jumps, and for what is no transport stream. Blocks.
    init?(_ location: String) {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        guard var scan = TransportClockScan(file) else { return nil }
        guard scan.read(to: TransportClockScan.head), scan.isSparse || scan.early > 0 else { return nil }
        if scan.isSparse {
            guard scan.read(to: .max) else { return nil }
            hidden = scan.flags
        } else {
            hidden = []
        }
        first = scan.earlierFirst
    }

    /// - Parameter element: what `parsebin` puts into itself.
    static func edit(for element: Element, reading location: String) {
        guard element.factoryName == "tsdemux", let clock = TransportClock(location) else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in clock.edit(&buffer) }
    }

    private func edit(_ buffer: inout Buffer) {
        guard let begin = buffer.offset else { return }
        let end = begin + UInt64(buffer.byteCount)
        let hidden = hidden[place(of: begin)..<place(of: end)]
        let value = first.map { $0.place < end && $0.place + UInt64($0.bytes.count) > begin } ?? false
        guard value || !hidden.isEmpty else { return }
        try? buffer.withMutableBytes { bytes in
            for flag in hidden { bytes[Int(flag - begin)] &= ~Self.flag }
            for (index, byte) in (first?.bytes ?? []).enumerated() {
                let place = (first?.place ?? 0) + UInt64(index)
                if place >= begin, place < end { bytes[Int(place - begin)] = byte }
            }
        }
    }

    /// How many flags lie before a byte of the file.
    private func place(of byte: UInt64) -> Int {
        var (low, high) = (0, hidden.count)
        while low < high {
            let middle = (low + high) / 2
            if hidden[middle] < byte { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
