/// A block of a Matroska file: one sample, or a few frames of PCM audio (RFC 9559 section 10).
struct MatroskaBlock: Sendable, Equatable {
    struct Flags: OptionSet, Sendable, Equatable {
        let rawValue: UInt8
        /// Decoding can begin with it.
        static let isKey = Flags(rawValue: 1)
        /// Its bytes are in memory, as a text's are, and not in the original.
        static let isMade = Flags(rawValue: 2)
    }

    /// Where its bytes begin, in the original or among the texts.
    var source: UInt64
    /// Of its bytes.
    var size: UInt32
    /// When it is presented, in milliseconds.
    var time: UInt32
    /// When it has to be there, in milliseconds from the same beginning: not later than it is presented.
    var order: Int32
    /// How long it is presented, in milliseconds; 0 where that is not told.
    var duration: UInt32 = 0
    /// What a decoder throws away of its end, or where it is negative from its beginning on, in nanoseconds.
    var padding: Int32 = 0
    /// The bytes of what says how opaque it is, which lie elsewhere; 0 where nothing does.
    var transparencySize: UInt32 = 0
    /// From 1.
    var track: UInt8
    var flags: Flags = []

    /// The size and the number of the track, the time and the flags, before the bytes.
    private static let fieldSize = 4

    /// Whether it needs more than a `SimpleBlock` can tell.
    private var isGroup: Bool { duration > 0 || padding != 0 || transparencySize > 0 }

    /// All bytes of its group, but for its head.
    private func groupSize(_ block: UInt64) -> UInt64 {
        1 + UInt64(EBMLWriter.length(ofSize: block)) + block + UInt64(trailer.count) + UInt64(transparencySize)
    }

    /// All bytes that it takes in its cluster.
    var encodedSize: UInt64 {
        let block = UInt64(size) + UInt64(Self.fieldSize)
        guard isGroup else { return 1 + UInt64(EBMLWriter.length(ofSize: block)) + block }
        let inside = groupSize(block)
        return 1 + UInt64(EBMLWriter.length(ofSize: inside)) + inside
    }

    /// Appends what comes before its bytes.
    ///
    /// - Parameter clusterTime: In milliseconds: at most 32 767 before its own.
    func appendHeader(to writer: inout EBMLWriter, clusterTime: UInt32) {
        let block = UInt64(size) + UInt64(Self.fieldSize)
        if isGroup {
            writer.append(.blockGroup)
            writer.append(size: groupSize(block))
        }
        writer.append(isGroup ? .block : .simpleBlock)
        writer.append(size: block)
        writer.append(size: UInt64(track), length: 1)
        writer.append(UInt64(time &- clusterTime), length: 2)
        writer.append(!isGroup && flags.contains(.isKey) ? 0x80 : 0, length: 1)
    }

    /// What comes behind its bytes, and before what says how opaque it is.
    var trailer: [UInt8] {
        guard isGroup else { return [] }
        var writer = EBMLWriter()
        if duration > 0 { writer.unsigned(.blockDuration, UInt64(duration)) }
        if padding != 0 { writer.signed(.discardPadding, Int64(padding)) }
        guard transparencySize > 0 else { return writer.bytes }
        // Which frames it needs is not known here; 0 says that (RFC 9559 section 5.1.3.5.5).
        if !flags.contains(.isKey) { writer.unsigned(.referenceBlock, 0) }
        var number = EBMLWriter()
        number.unsigned(.blockAddID, 1)
        let size = UInt64(transparencySize)
        let more = UInt64(number.bytes.count + 1 + EBMLWriter.length(ofSize: size)) + size
        writer.append(.blockAdditions)
        writer.append(size: UInt64(1 + EBMLWriter.length(ofSize: more)) + more)
        writer.append(.blockMore)
        writer.append(size: more)
        writer.append(contentsOf: number.bytes)
        writer.append(.blockAdditional)
        writer.append(size: size)
        return writer.bytes
    }
}
