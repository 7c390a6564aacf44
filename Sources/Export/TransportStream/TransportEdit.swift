import GStreamer
import SystemPackage

/// Changes a transport stream on its way to tsdemux (1.22), so that it reads all of it at the times of its packets.
///
/// - It counts them from the clock (PCR), of which a value should come every 100 ms (ISO/IEC 13818-1, 2.7.2); segmenters for the web write one
///   with each key frame. Two that lie more than half a second apart are a discontinuity to it, and it guesses by the bit rate how much time has
///   passed, so that half of the stream's length may be lost. With one value alone it counts all times from that, so all others are hidden from it.
/// - What is shown, or decoded, before the first value has no time for it, the first key frame of many segments among them: so that value is made
///   to be earlier. Nobody minds, as all times count from the first packet. A stream without a clock, or whose clock comes half a second late, gets one value in front;
///   where the map says that there is none, and there is one, the map is told.
/// - It drops what comes before the tables that tell of it, and with a key frame all up to the next one: they are put in front.
/// - What a later map adds gets no pad that anything here hears of: all that any map names is in the first one, and the others are hidden from it.
/// - Of video that a map names and of which nothing comes, a parser makes an error: the map says that it is none.
/// - Where packets are missing it drops what lies around the place, up to two frames and what needs them, where others keep what
///   has come: packets count on there.
struct TransportEdit: Sendable {
    private struct Patch: Sendable {
        /// In the file.
        var place: UInt64
        var bytes: [UInt8]

        var end: UInt64 { place + UInt64(bytes.count) }
    }

    /// Some bits of a byte.
    private struct Bits: Sendable {
        /// In the file.
        var place: UInt64
        var cleared: UInt8 = 0
        var set: UInt8 = 0

        func apply(to byte: inout UInt8) { byte = byte & ~cleared | set }
    }

    /// In order.
    private var bits: [Bits] = []
    private var patches: [Patch] = []
    private var continuity: ContinuityEdit?

    private static let clockFlag: UInt8 = 0x10

    /// nil for what needs no change, and for what is no transport stream. Blocks.
    ///
    /// - Parameter known: what has been found out about the file; nil to do that now.
    init?(_ location: String, _ known: TransportScan? = nil) {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        guard var clock = TransportClockScan(file), let scan = known ?? TransportScan(location) else { return nil }
        let isRegular = clock.read(to: TransportClockScan.head)
        var late: (flag: UInt64, bytes: [UInt8])?
        if isRegular, clock.isSparse || clock.early > 0, !clock.isSparse || clock.read(to: .max) {
            late = clock.lateFirst
            if clock.isSparse { bits = clock.flags.map { Bits(place: $0, cleared: Self.clockFlag) } }
            if let (place, bytes) = clock.earlierFirst { patches = [Patch(place: place, bytes: bytes)] }
        }
        continuity = ContinuityEdit(scan, location)
        putTablesInFront(file, clock, late, scan.maps.unions(without: scan.absentVideo))
        if bits.isEmpty, patches.isEmpty, continuity == nil { return nil }
    }

    private mutating func putTablesInFront(
        _ file: FileDescriptor, _ clock: TransportClockScan, _ late: (flag: UInt64, bytes: [UInt8])?,
        _ unions: [TransportMaps.Union]
    ) {
        guard var tables = TransportTables(file, from: clock.start, clock.length) else { return }
        var isChanged = false
        for union in unions {
            guard let index = tables.replace(mapIn: union.number, by: union.section) else { continue }
            isChanged = true
            let own = clock.start + UInt64(index * clock.length)
            bits += union.places.filter { $0 != own }.flatMap(Self.hidden)
        }
        let isTimed = (late?.bytes ?? clock.missingFirst).flatMap { tables.addClock($0) } ?? false
        if isTimed, let late { bits.append(Bits(place: late.flag, cleared: Self.clockFlag)) }
        if isChanged || isTimed { bits.sort { $0.place < $1.place } }
        let isTold = clock.packets.map { tables.tellClock(in: $0) } ?? false
        guard isTimed || isTold || isChanged || tables.areLate else { return }
        let end = clock.start + UInt64(tables.size)
        let early = TransportEdit(
            bits: bits.filter { $0.place < end }, patches: patches.filter { $0.end <= end }, continuity: continuity)
        tables.bytes.withUnsafeMutableBytes { [size = tables.size] bytes in
            // As far as packets are moved: all else is changed as it comes.
            early.apply(to: .init(rebasing: bytes[..<size]), at: clock.start)
        }
        bits.removeAll { $0.place < end }
        patches.removeAll { $0.end <= end }
        continuity?.begin(at: end)
        patches.append(Patch(place: clock.start, bytes: tables.inFront()))
    }

    private init(bits: [Bits], patches: [Patch], continuity: ContinuityEdit?) {
        (self.bits, self.patches, self.continuity) = (bits, patches, continuity)
    }

    /// Makes a packet one of those that only fill up.
    private static func hidden(_ packet: UInt64) -> [Bits] {
        let number = TransportPacket.padding
        return [
            Bits(place: packet + 1, cleared: 0x1F, set: UInt8(number >> 8)),
            Bits(place: packet + 2, cleared: 0xFF, set: UInt8(number & 0xFF)),
        ]
    }

    /// - Parameter element: what `parsebin` puts into itself.
    static func apply(to element: Element, reading location: String, _ known: TransportScan? = nil) {
        guard element.factoryName == "tsdemux", let edit = TransportEdit(location, known) else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in edit.apply(to: &buffer) }
    }

    private func apply(to buffer: inout Buffer) {
        guard let begin = buffer.offset, touches(begin..<begin + UInt64(buffer.byteCount)) else { return }
        try? buffer.withMutableBytes { bytes in apply(to: bytes, at: begin) }
    }

    private func touches(_ range: Range<UInt64>) -> Bool {
        let next = bits.partitioningIndex { $0.place >= range.lowerBound }
        return next < bits.count && bits[next].place < range.upperBound
            || patches.contains { $0.place < range.upperBound && $0.end > range.lowerBound }
            || continuity?.touches(range) == true
    }

    /// - Parameter begin: where the bytes lie in the file.
    private func apply(to bytes: UnsafeMutableRawBufferPointer, at begin: UInt64) {
        let end = begin + UInt64(bytes.count)
        for change in bits[bits.partitioningIndex { $0.place >= begin }...].prefix(while: { $0.place < end }) {
            change.apply(to: &bytes[Int(change.place - begin)])
        }
        continuity?.apply(to: bytes, at: begin)
        for patch in patches where patch.place < end && patch.end > begin {
            for place in max(begin, patch.place)..<min(end, patch.end) {
                bytes[Int(place - begin)] = patch.bytes[Int(place - patch.place)]
            }
        }
    }
}
