/// A page of Ogg (RFC 3533, section 6).
struct OggPage: Sendable {
    /// Of the stream; bytes, as nobody counts with them.
    var serial: [UInt8]
    /// Whether the page says to which sample it comes.
    var hasPosition: Bool
    /// Whether its first bytes belong to a packet of the page before.
    var continues: Bool
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
        let position = head[6..<14]
        let isNone = position.allSatisfy { $0 == 0 } || position.allSatisfy { $0 == 255 }
        return OggPage(
            serial: Array(head[14..<18]), hasPosition: !isNone, continues: head[5] & 1 != 0, parts: parts,
            isComplete: isComplete)
    }
}
