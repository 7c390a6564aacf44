import GStreamer
import SystemPackage

/// Changes a transport stream on its way to tsdemux (1.22), so that it reads all of it at the times of its packets.
///
/// - It counts them from the clock (PCR), of which a value should come every 100 ms (ISO/IEC 13818-1, 2.7.2); segmenters for the web write one
///   with each key frame. Two that lie more than half a second apart are a discontinuity to it, and it guesses by the bit rate how much time has
///   passed, so that half of the stream's length may be lost. With one value alone it counts all times from that, so all others are hidden from it.
/// - What is shown, or decoded, before the first value has no time for it, the first key frame of many segments among them: so that value is made
///   to be earlier. Nobody minds, as all times count from the first packet. A stream without a clock gets one value.
/// - It drops what comes before the tables that tell of it, and with a key frame all up to the next one: they are put in front.
struct TransportEdit: Sendable {
    private struct Patch: Sendable {
        /// In the file.
        var place: UInt64
        var bytes: [UInt8]

        var end: UInt64 { place + UInt64(bytes.count) }
    }

    /// Where in the file the flags lie that say that a packet has a clock value, in order.
    private var hidden: [UInt64] = []
    private var patches: [Patch] = []

    private static let flag: UInt8 = 0x10

    /// nil for what needs no change, and for what is no transport stream. Blocks.
    init?(_ location: String) {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        guard var scan = TransportClockScan(file) else { return nil }
        let isRegular = scan.read(to: TransportClockScan.head)
        if isRegular, scan.isSparse || scan.early > 0, !scan.isSparse || scan.read(to: .max) {
            hidden = scan.isSparse ? scan.flags : []
            if let (place, bytes) = scan.earlierFirst { patches = [Patch(place: place, bytes: bytes)] }
        }
        putTablesInFront(file, scan)
        if hidden.isEmpty, patches.isEmpty { return nil }
    }

    private mutating func putTablesInFront(_ file: FileDescriptor, _ scan: TransportClockScan) {
        guard var tables = TransportTables(file, from: scan.start, scan.length) else { return }
        let clock = scan.missingFirst.flatMap { tables.addClock($0) } ?? false
        guard clock || tables.areLate else { return }
        let end = scan.start + UInt64(tables.size)
        for flag in hidden.prefix(while: { $0 < end }) { tables.bytes[Int(flag - scan.start)] &= ~Self.flag }
        for patch in patches where patch.end <= end {
            let begin = Int(patch.place - scan.start)
            tables.bytes.replaceSubrange(begin..<begin + patch.bytes.count, with: patch.bytes)
        }
        hidden.removeAll { $0 < end }
        patches.removeAll { $0.end <= end }
        patches.append(Patch(place: scan.start, bytes: tables.inFront()))
    }

    /// - Parameter element: what `parsebin` puts into itself.
    static func apply(to element: Element, reading location: String) {
        guard element.factoryName == "tsdemux", let edit = TransportEdit(location) else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in edit.apply(to: &buffer) }
    }

    private func apply(to buffer: inout Buffer) {
        guard let begin = buffer.offset else { return }
        let end = begin + UInt64(buffer.byteCount)
        let hidden = hidden[place(of: begin)..<place(of: end)]
        let patches = patches.filter { $0.place < end && $0.end > begin }
        guard !patches.isEmpty || !hidden.isEmpty else { return }
        try? buffer.withMutableBytes { bytes in
            for flag in hidden { bytes[Int(flag - begin)] &= ~Self.flag }
            for patch in patches {
                for place in max(begin, patch.place)..<min(end, patch.end) {
                    bytes[Int(place - begin)] = patch.bytes[Int(place - patch.place)]
                }
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
