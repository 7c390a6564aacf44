/// Bytes from a socket, put together to lines.
struct Lines {
    private var rest: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: the bytes of the longest line.
    init(limit: Int) { self.limit = limit }

    /// The lines that are complete now, without their ends; `nil` if one is too long.
    mutating func add(_ bytes: [UInt8]) -> [[UInt8]]? {
        rest += bytes
        var lines: [[UInt8]] = []
        var begin = rest.startIndex
        while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(rest[begin..<end]))
            begin = end + 1
        }
        rest.removeSubrange(..<begin)
        return rest.count > limit ? nil : lines
    }
}
