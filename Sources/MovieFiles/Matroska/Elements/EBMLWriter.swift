/// Builds EBML elements in memory: an ID, the size of the data, the data (RFC 8794 sections 4 to 7).
struct EBMLWriter {
    private(set) var bytes: [UInt8] = []

    /// Forgets what was written, and keeps its memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// An ID's bytes, which hold their own length.
    mutating func append(_ id: ElementID) { append(rawID: id.rawValue) }

    private mutating func append(rawID: UInt32) {
        append(UInt64(rawID), length: (39 - rawID.leadingZeroBitCount) / 8)
    }

    /// A number's lowest bytes, the most significant first.
    mutating func append(_ value: UInt64, length: Int) {
        for place in stride(from: (length - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place)))
        }
    }

    /// A size, behind as many zero bits as it has further bytes.
    ///
    /// - Parameter length: Its bytes; nil for as few as can be.
    mutating func append(size: UInt64, length: Int? = nil) {
        let length = length ?? Self.length(ofSize: size)
        append(size | 1 << UInt64(7 * length), length: length)
    }

    mutating func append(contentsOf other: some Sequence<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// - Parameter length: Bytes of the data; nil for as few as can be.
    mutating func unsigned(_ id: ElementID, _ value: UInt64, length: Int? = nil) {
        let length = length ?? Self.length(ofUnsigned: value)
        append(id)
        append(size: UInt64(length))
        append(value, length: length)
    }

    mutating func signed(_ id: ElementID, _ value: Int64) {
        append(id)
        append(size: 8)
        append(UInt64(bitPattern: value), length: 8)
    }

    mutating func float(_ id: ElementID, _ value: Double) {
        append(id)
        append(size: 8)
        append(value.bitPattern, length: 8)
    }

    mutating func text(_ id: ElementID, _ text: String) {
        // A zero ends a text wherever it stands.
        data(id, text.utf8.prefix { $0 != 0 })
    }

    mutating func data(_ id: ElementID, _ data: some Collection<UInt8>) { self.data(rawID: id.rawValue, data) }

    /// An element as it was read, known or not.
    mutating func data(rawID: UInt32, _ data: some Collection<UInt8>) {
        append(rawID: rawID)
        append(size: UInt64(data.count))
        bytes.append(contentsOf: data)
    }

    /// An element of elements, which `body` appends.
    mutating func master(_ id: ElementID, _ body: (inout EBMLWriter) -> Void) {
        var inside = EBMLWriter()
        body(&inside)
        data(id, inside.bytes)
    }

    /// How many bytes a size needs. All ones would mean "not known".
    static func length(ofSize size: UInt64) -> Int {
        var length = 1
        while length < 8, size >= 1 << UInt64(7 * length) - 1 { length += 1 }
        return length
    }

    static func length(ofUnsigned value: UInt64) -> Int {
        max(1, (71 - value.leadingZeroBitCount) / 8)
    }
}

extension EBMLWriter {
    /// An element that tells nothing (RFC 8794 section 11.3.3).
    ///
    /// - Parameter count: its bytes, with its head; 0 or more than 1.
    mutating func void(_ count: Int) {
        guard count > 1 else { return }
        let length = count - 2 < 127 ? 1 : 8
        append(.void)
        append(size: UInt64(count - 1 - length), length: length)
        append(contentsOf: repeatElement(0, count: count - 1 - length))
    }
}

extension ElementID {
    /// In bytes.
    var length: Int { (39 - rawValue.leadingZeroBitCount) / 8 }
}

/// Nanoseconds, in which Matroska's times are counted before they become ticks of a segment.
enum MatroskaTime {
    static let second: Int64 = 1_000_000_000
    static let millisecond: Int64 = 1_000_000
}
