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
    /// From 1.
    var track: UInt8
    var flags: Flags = []

    /// The size and the number of the track, the time and the flags, before the bytes.
    private static let fieldSize = 4

    /// Whether it needs more than a `SimpleBlock` can tell.
    private var isGroup: Bool { duration > 0 || padding != 0 }

    /// All bytes that it takes in its cluster.
    var encodedSize: UInt64 {
        let block = UInt64(size) + UInt64(Self.fieldSize)
        let whole = 1 + UInt64(EBMLWriter.length(ofSize: block)) + block
        guard isGroup else { return whole }
        let inside = whole + UInt64(trailer.count)
        return 1 + UInt64(EBMLWriter.length(ofSize: inside)) + inside
    }

    /// Appends what comes before its bytes.
    ///
    /// - Parameter clusterTime: In milliseconds: at most 32 767 before its own.
    func appendHeader(to writer: inout EBMLWriter, clusterTime: UInt32) {
        let block = UInt64(size) + UInt64(Self.fieldSize)
        if isGroup {
            let inside = 1 + UInt64(EBMLWriter.length(ofSize: block)) + block + UInt64(trailer.count)
            writer.append(.blockGroup)
            writer.append(size: inside)
        }
        writer.append(isGroup ? .block : .simpleBlock)
        writer.append(size: block)
        writer.append(size: UInt64(track), length: 1)
        writer.append(UInt64(time &- clusterTime), length: 2)
        writer.append(!isGroup && flags.contains(.isKey) ? 0x80 : 0, length: 1)
    }

    /// What comes behind its bytes.
    var trailer: [UInt8] {
        guard isGroup else { return [] }
        var writer = EBMLWriter()
        if duration > 0 { writer.unsigned(.blockDuration, UInt64(duration)) }
        if padding != 0 { writer.signed(.discardPadding, Int64(padding)) }
        return writer.bytes
    }
}
