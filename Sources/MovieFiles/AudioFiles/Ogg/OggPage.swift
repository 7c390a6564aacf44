/// A page of Ogg (RFC 3533, section 6).
struct OggPage: Sendable {
    /// Of the stream; bytes, as nobody counts with them.
    var serial: [UInt8]
    /// At which sample it ends, in what its codec counts; all ones where no packet ends in it.
    var position: UInt64
    /// Whether its first bytes belong to a packet of the page before.
    var continues: Bool
    /// Whether it is the first of its stream.
    var begins: Bool
    /// What stands before its packets.
    private var head: [UInt8]
    /// The parts of packets in it, and whether the last of them ends in it.
    var parts: [[UInt8]]
    var isComplete: Bool

    private static let headSize = 27

    /// - Returns: nil where no page follows.
    static func next(_ cursor: inout ByteCursor) throws(MovieFileError) -> OggPage? {
        guard let head = try cursor.next(headSize), head.starts(with: "OggS".utf8),
            let lacing = try cursor.next(Int(head[26]))
        else { return nil }
        var (sizes, isComplete) = ([Int](), true)
        for value in lacing {
            if isComplete { sizes.append(0) }
            sizes[sizes.count - 1] += Int(value)
            isComplete = value < 255
        }
        var parts: [[UInt8]] = []
        for size in sizes {
            guard let part = try cursor.next(size) else { return nil }
            parts.append(part)
        }
        return OggPage(
            serial: Array(head[14..<18]), position: head[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) },
            continues: head[5] & 1 != 0, begins: head[5] & 2 != 0, head: head + lacing, parts: parts,
            isComplete: isComplete)
    }

    /// Which of its stream it is, from 0.
    var number: UInt32 {
        get { head.little(UInt32.self, at: 18) ?? 0 }
        set {
            var bytes: [UInt8] = []
            bytes.append(little: newValue)
            head.replaceSubrange(18..<22, with: bytes)
        }
    }

    /// It as it lies in a file, with its checksum.
    var bytes: [UInt8] {
        var bytes = head + parts.joined()
        bytes.replaceSubrange(6..<14, with: (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) })
        bytes.replaceSubrange(22..<26, with: repeatElement(0, count: 4))
        let sum = bytes.reduce(0, CRC.thirtyTwo)
        bytes.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
        return bytes
    }
}
