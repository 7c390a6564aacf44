/// Finds the top-level boxes in a stream of bytes that comes in pieces of any size.
///
/// Pure, and cheap for payloads: they are handed on as they come, never collected.
struct BoxFramer {
    enum Piece {
        /// A box begins; these are the bytes of its header.
        case header(BoxHeader, bytes: [UInt8])
        /// Bytes of the box that began last.
        case payload(UnsafeRawBufferPointer)
        /// The box that began last is complete.
        case end
    }

    /// How many bytes of the stream were taken in.
    private(set) var position: UInt64 = 0
    private var header: [UInt8] = []
    private var headerOffset: UInt64 = 0
    /// What is left of the payload of the current box; nil between boxes.
    private var remaining: UInt64?

    /// Takes the next piece off the front of `input`; nil where more input is needed.
    mutating func next(_ input: inout UnsafeRawBufferPointer) throws(MovieFileError) -> Piece? {
        guard let remaining else { return try nextHeader(&input) }
        guard remaining > 0 else {
            self.remaining = nil
            return .end
        }
        guard !input.isEmpty else { return nil }
        let count = Int(clamping: min(remaining, UInt64(input.count)))
        self.remaining = remaining - UInt64(count)
        return .payload(take(count, from: &input))
    }

    private mutating func nextHeader(_ input: inout UnsafeRawBufferPointer) throws(MovieFileError) -> Piece? {
        if header.isEmpty { headerOffset = position }
        while !input.isEmpty {
            header.append(contentsOf: take(1, from: &input))
            guard let parsed = try BoxHeader(header, fileOffset: headerOffset) else { continue }
            remaining = (parsed.size ?? .max) - UInt64(parsed.headerSize)
            defer { header = [] }
            return .header(parsed, bytes: header)
        }
        return nil
    }

    private mutating func take(_ count: Int, from input: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        defer { input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count)) }
        position += UInt64(count)
        return UnsafeRawBufferPointer(rebasing: input.prefix(count))
    }
}
