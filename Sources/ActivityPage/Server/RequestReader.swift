/// Bytes of a connection, put together to requests. Each byte is looked at once, and none is kept beyond the limits.
struct RequestReader {
    private let limits: PageLimits
    private var bytes: [UInt8] = []
    /// How many of them have been searched for the head's end.
    private var searched = 0
    /// Whether an empty line before the request has been passed over.
    private var hasSkipped = false
    /// One whose body has not come whole.
    private var pending: PageRequest?

    private static let end = Array("\r\n\r\n".utf8)

    init(_ limits: PageLimits) { self.limits = limits }

    /// Whether anything of a request is here.
    var isEmpty: Bool { bytes.isEmpty && pending == nil }

    mutating func add(_ new: [UInt8]) { bytes += new }

    /// The next request that is here whole; `nil`: more has to come.
    ///
    /// - Throws: what is to be answered before the connection is closed.
    mutating func next() throws(RequestRefusal) -> PageRequest? {
        if pending == nil { pending = try head() }
        guard let request = pending, bytes.count >= request.bodyLength else { return nil }
        bytes.removeFirst(request.bodyLength)
        pending = nil
        return request
    }

    private mutating func head() throws(RequestRefusal) -> PageRequest? {
        // An empty line before a request is passed over (RFC 9112, section 2.2).
        if !hasSkipped, bytes.starts(with: Self.end.prefix(2)) {
            bytes.removeFirst(2)
            (hasSkipped, searched) = (true, 0)
        }
        var place = max(0, searched - Self.end.count + 1)
        while place + Self.end.count <= bytes.count {
            if bytes[place..<place + Self.end.count].elementsEqual(Self.end) {
                guard place + Self.end.count <= limits.headBytes else { throw .largeHead }
                let request = try PageRequest(head: bytes[..<place], bodyLimit: limits.bodyBytes)
                bytes.removeFirst(place + Self.end.count)
                (hasSkipped, searched) = (false, 0)
                return request
            }
            place += 1
        }
        searched = bytes.count
        guard bytes.count <= limits.headBytes else { throw .largeHead }
        return nil
    }
}
