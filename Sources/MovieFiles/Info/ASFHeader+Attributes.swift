extension ASFHeader {
    /// What a Windows Media file says of itself under a name.
    struct Attribute: Sendable {
        let name: String
        /// 0: a text.
        let kind: Int
        let value: ArraySlice<UInt8>

        /// nil for another kind, and for an empty one.
        var text: String? {
            let text = kind == 0 ? ASFHeader.text(value) : ""
            return text.isEmpty ? nil : text
        }
    }

    private static let extendedContent = "40A4D0D2-07E3-D211-97F0-00A0C95EA850"
    private static let headerExtension = "B503BF5F-2EA9-CF11-8EE3-00C00C205365"
    private static let library = "941C2344-9894-D149-A141-1D134E457054"

    /// All of its extended content description, and of its metadata library, which has what is too large for that, from 64 kB on.
    var attributes: [Attribute] {
        // Behind an identifier, a number and the size of the objects in it.
        let inner = Self.objects(in: self[Self.headerExtension]?.dropFirst(22) ?? [])
        return Self.short(self[Self.extendedContent] ?? [])
            + inner.filter { $0.isOne(Self.library) }.flatMap { Self.long($0.data) }
    }

    /// How many there are, and of each the length of its name, that, what it is, its size, and it.
    private static func short(_ data: ArraySlice<UInt8>) -> [Attribute] {
        var (rest, found) = (data.dropFirst(2), [Attribute]())
        for _ in 0..<(number(data, 2) ?? 0) {
            guard let length = number(rest, 2) else { break }
            let value = rest.dropFirst(2 + length)
            guard let kind = number(value, 2), let size = number(value.dropFirst(2), 2) else { break }
            let name = text(rest.dropFirst(2).prefix(length))
            found.append(Attribute(name: name, kind: kind, value: value.dropFirst(4).prefix(size)))
            rest = value.dropFirst(4 + size)
        }
        return found
    }

    /// How many there are, and of each its language and stream, the length of its name, what it is, its size, the name, and it.
    private static func long(_ data: ArraySlice<UInt8>) -> [Attribute] {
        var (rest, found) = (data.dropFirst(2), [Attribute]())
        for _ in 0..<(number(data, 2) ?? 0) {
            guard let length = number(rest.dropFirst(4), 2), let kind = number(rest.dropFirst(6), 2),
                let size = number(rest.dropFirst(8), 4)
            else { break }
            let value = rest.dropFirst(12 + length)
            let name = text(rest.dropFirst(12).prefix(length))
            found.append(Attribute(name: name, kind: kind, value: value.prefix(size)))
            rest = value.dropFirst(size)
        }
        return found
    }
}
