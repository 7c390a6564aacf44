/// The elements that lie side by side in a master element, in memory.
struct Elements: Sendable {
    private struct Element: Sendable {
        var rawID: UInt32
        var headLength: Int
        var data: ArraySlice<UInt8>
    }

    private var elements: [Element] = []

    /// More than any real one holds.
    private static let maximumCount = 100_000

    /// - Throws: `unsupported` where they are damaged.
    init(_ bytes: ArraySlice<UInt8>) throws(MovieFileError) {
        var rest = bytes
        while !rest.isEmpty {
            guard let header = ElementHeader(rest, at: 0), let size = header.size,
                header.dataOffset + min(size, UInt64(Int32.max)) <= UInt64(rest.count), size <= UInt64(rest.count),
                elements.count < Self.maximumCount
            else { throw .unsupported(reason: "one of its elements is damaged") }
            rest = rest.dropFirst(Int(header.dataOffset))
            elements.append(
                Element(rawID: header.rawID, headLength: Int(header.dataOffset), data: rest.prefix(Int(size))))
            rest = rest.dropFirst(Int(size))
        }
    }

    /// All of them, in their order.
    var everything: [(rawID: UInt32, data: ArraySlice<UInt8>)] { elements.map { ($0.rawID, $0.data) } }

    /// The data of the first of these.
    subscript(id: ElementID) -> ArraySlice<UInt8>? {
        elements.first { $0.rawID == id.rawValue }?.data
    }

    /// Where the data of the first of these lies, from the first element's beginning.
    func place(of id: ElementID) -> Range<UInt64>? {
        guard let data = self[id], let start = elements.first.map({ $0.data.startIndex - $0.headLength }) else {
            return nil
        }
        return UInt64(data.startIndex - start)..<UInt64(data.endIndex - start)
    }

    func all(_ id: ElementID) -> [ArraySlice<UInt8>] {
        elements.filter { $0.rawID == id.rawValue }.map(\.data)
    }

    /// The elements in the first of these.
    func inside(_ id: ElementID) throws(MovieFileError) -> Elements? {
        guard let data = self[id] else { return nil }
        return try Elements(data)
    }

    func unsigned(_ id: ElementID) -> UInt64? { self[id].flatMap(\.unsignedInteger) }

    func signed(_ id: ElementID) -> Int64? { self[id].flatMap(\.signedInteger) }

    /// A number of four or eight bytes; none is 0 (RFC 8794 section 7.3).
    func float(_ id: ElementID) -> Double? { self[id].flatMap(\.floatingPoint) }

    /// A text, which a zero may end before the element does.
    func text(_ id: ElementID) -> String? {
        self[id].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension ArraySlice<UInt8> {
    /// Up to eight bytes as a number, none as 0 (RFC 8794 section 7.2).
    var unsignedInteger: UInt64? {
        count <= 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    /// Likewise with a sign (RFC 8794 section 7.1).
    var signedInteger: Int64? {
        guard let first, let magnitude = unsignedInteger else { return isEmpty ? 0 : nil }
        guard first & 0x80 != 0 else { return Int64(bitPattern: magnitude) }
        let unused = 64 - 8 * count
        return Int64(bitPattern: magnitude << UInt64(unused)) >> Int64(unused)
    }
}

extension ArraySlice<UInt8> {
    /// A number of four or eight bytes; none is 0 (RFC 8794 section 7.3).
    var floatingPoint: Double? {
        let value: Double? =
            switch count {
            case 0: 0
            case 4: UInt32(bigEndianBytes: self).map { Double(Float(bitPattern: $0)) }
            case 8: UInt64(bigEndianBytes: self).map { Double(bitPattern: $0) }
            default: nil
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}
