import SystemPackage

/// What the heads of all packets of a transport stream tell: the streams that its tables name, and where packets are missing.
struct TransportScan: Sendable, Hashable {
    /// Of a packet, with what a camera or a broadcaster puts around it, in bytes.
    let length: Int
    /// Where in the file packets begin to follow each other: once, and again behind each place where something else stands.
    private(set) var runs: [UInt64] = []
    private(set) var maps = TransportMaps()
    private(set) var continuity = ContinuityCheck()
    private var leading = LeadingUnits()

    /// How many packets are looked at together.
    private static let block = 16_384

    /// Video that a map names and of which there is no packet, by the number that these would have.
    var absentVideo: Set<Int> {
        let absent = maps.streams.map(\.entry).filter { continuity.streams[$0.number] == nil }
        return Set(absent.filter { TransportCodec.name(of: $0.type, $0.descriptors).0 == .video }.map(\.number))
    }

    /// Reads all of the file. Blocks.
    ///
    /// - Returns: nil for what is no transport stream.
    init?(_ location: String) {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        var head = [UInt8](repeating: 0, count: TransportPackets.searched + 1024)
        guard let count = try? head.withUnsafeMutableBytes({ try file.read(fromAbsoluteOffset: 0, into: $0) }),
            let (start, length) = TransportPackets.first(in: Array(head[..<count]))
        else { return nil }
        self.length = length
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block * length, alignment: 16)
        defer { block.deallocate() }
        var (place, expected) = (UInt64(start), UInt64?.none)
        while let count = try? file.read(fromAbsoluteOffset: Int64(place), into: block),
            count >= TransportPacket.size
        {
            place += UInt64(take(UnsafeRawBufferPointer(rebasing: block[..<count]), at: place, &expected))
        }
        continuity.end()
    }

    /// - Parameters:
    ///   - place: where the bytes lie in the file.
    ///   - expected: where the next packet begins if nothing stands between.
    /// - Returns: how many bytes need not be looked at again.
    private mutating func take(_ bytes: UnsafeRawBufferPointer, at place: UInt64, _ expected: inout UInt64?) -> Int {
        var index = 0
        while index + TransportPacket.size <= bytes.count {
            let next = index + length
            guard bytes[index] == TransportPacket.synchronisation,
                next >= bytes.count || bytes[next] == TransportPacket.synchronisation
            else {
                index += 1
                continue
            }
            let begin = place + UInt64(index)
            if begin != expected { runs.append(begin) }
            expected = begin + UInt64(length)
            let packet = TransportPacket(
                UnsafeRawBufferPointer(rebasing: bytes[index..<index + TransportPacket.size]))
            if !packet.isDamaged {
                if maps.reads(packet.number) { maps.take(packet, at: begin, continuity.latest) }
                maps.look(at: packet)
                continuity.take(packet, at: begin)
                leading.take(packet)
            }
            index = next
        }
        return index
    }

    /// How many frames a video stream begins with before the first that can be decoded; 0 where nothing is known.
    ///
    /// - Parameter number: of its packets.
    func leadingFrames(of number: Int) -> Int {
        guard let stream = maps.streams.first(where: { $0.entry.number == number }) else { return 0 }
        return leading.count(of: number, type: stream.entry.type)
    }

    /// How long after the file's first packet with a time something is decoded, in ticks of 90 kHz; 0 for what comes up to ten
    /// seconds before, nil where the clock jumps.
    func elapsed(until time: Int?) -> Int? {
        guard let time, let first = continuity.first else { return nil }
        // Of 33 bits.
        let wrap = 1 << 33
        let elapsed = (time - first + wrap) % wrap
        if elapsed > wrap - 10 * 90_000 { return 0 }
        return elapsed < wrap / 2 ? elapsed : nil
    }
}
