/// Work that several threads do at once and that is handed on in order, never more than a few pieces ahead.
struct OrderedWindow<Result> {
    private let count: Int
    private let limit: Int
    private var begun = 0
    private var delivered = 0
    private var results: [Int: Result] = [:]

    /// - Parameters:
    ///   - count: of all pieces.
    ///   - limit: of pieces that are begun and not delivered; at least 1.
    init(count: Int, limit: Int) { (self.count, self.limit) = (count, max(1, limit)) }

    /// Whether nothing is left to deliver.
    var isDone: Bool { delivered == count }
    /// Whether nothing is left to begin.
    var isBegun: Bool { begun == count }

    /// The next piece to work on; nil while too many wait, and when all are begun.
    mutating func begin() -> Int? {
        guard begun < count, begun - delivered < limit else { return nil }
        defer { begun += 1 }
        return begun
    }

    /// A piece is done.
    mutating func finish(_ index: Int, _ result: Result) { results[index] = result }

    /// The next piece in order; nil while it is not done.
    mutating func next() -> Result? {
        guard let result = results.removeValue(forKey: delivered) else { return nil }
        delivered += 1
        return result
    }
}
