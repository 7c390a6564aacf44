import SystemPackage

/// Has the packets of a transport stream count on where some are missing, on their way to a demuxer.
struct ContinuityEdit: Sendable {
    private let location: String
    /// See ``TransportScan``.
    private let length: Int
    private let runs: [UInt64]
    /// Of the packets of one number, in order.
    private var shifts: [Int: [ContinuityCheck.Shift]] = [:]
    /// The first byte that is changed.
    private var begin: UInt64

    /// nil where nothing is missing.
    init?(_ scan: TransportScan, _ location: String) {
        // By a jump of its tables' counters tsdemux knows that others come, even where they have the same version.
        let media = scan.continuity.shifts.filter { (scan.continuity.streams[$0.number]?.units ?? 0) > 0 }
        guard let first = media.first else { return nil }
        (self.location, length, runs, begin) = (location, scan.length, scan.runs, first.place)
        for shift in media { shifts[shift.number, default: []].append(shift) }
    }

    /// Whether anything is changed in a part of the file.
    func touches(_ range: Range<UInt64>) -> Bool { range.upperBound > begin }

    /// - Parameters:
    ///   - bytes: a part of the file.
    ///   - start: where they lie in it.
    func apply(to bytes: UnsafeMutableRawBufferPointer, at start: UInt64) {
        let end = start + UInt64(bytes.count)
        guard end > begin else { return }
        var run = max(0, runs.partitioningIndex { $0 > start } - 1)
        while run < runs.count, runs[run] < end {
            let limit = run + 1 < runs.count ? min(end, runs[run + 1]) : end
            // The packet that the bytes begin in: its counter is the fourth byte.
            let passed = start > runs[run] ? (start - runs[run]) / UInt64(length) : 0
            var packet = runs[run] + passed * UInt64(length)
            while packet + 3 < limit {
                if packet >= begin, packet + 3 >= start { renumber(packet, bytes, start) }
                packet += UInt64(length)
            }
            run += 1
        }
    }

    private func renumber(_ packet: UInt64, _ bytes: UnsafeMutableRawBufferPointer, _ start: UInt64) {
        guard let number = number(of: packet, UnsafeRawBufferPointer(bytes), start), let own = shifts[number] else {
            return
        }
        let count = own.partitioningIndex { $0.place > packet }
        guard count > 0 else { return }
        let place = Int(packet + 3 - start)
        bytes[place] = bytes[place] & 0xF0 | (bytes[place] &- own[count - 1].amount) & 0x0F
    }

    /// Of a packet, of which the first bytes may have come before.
    private func number(of packet: UInt64, _ bytes: UnsafeRawBufferPointer, _ start: UInt64) -> Int? {
        if packet + 1 >= start {
            let place = Int(packet + 1 - start)
            return Int(bytes[place] & 0x1F) << 8 | Int(bytes[place + 1])
        }
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        var head: [UInt8] = [0, 0]
        let count = try? head.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: Int64(packet + 1), into: $0) }
        return count == 2 ? Int(head[0] & 0x1F) << 8 | Int(head[1]) : nil
    }

    /// Leaves what lies before a byte of the file as it is.
    mutating func begin(at place: UInt64) { begin = max(begin, place) }
}

extension Array {
    /// How many elements come before the first one that is behind, of elements of which all that are behind come last.
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
