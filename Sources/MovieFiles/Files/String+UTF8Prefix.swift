extension String {
    /// As many of its first bytes in UTF-8 as a field holds, without a piece of a code point at the end: half of one would
    /// make the text unreadable.
    package func utf8Prefix(_ limit: Int) -> [UInt8] {
        guard utf8.count > limit else { return Array(utf8) }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return Array(utf8[..<end])
    }
}
