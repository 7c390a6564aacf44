/// The sizes of a track's samples: one number where all are equal, which those of PCM audio are, else one for each.
struct SampleSizes: Sendable {
    private(set) var count = 0
    /// The size of every sample; nil where sizes differ.
    private(set) var constant: UInt32?
    /// Every size, where they differ.
    private(set) var each: [UInt32] = []
    /// In bytes.
    private(set) var total: UInt64 = 0

    mutating func append(_ size: UInt32, count added: Int = 1) {
        if count == 0 {
            constant = size
        } else if let constant, constant != size {
            each = Array(repeating: constant, count: count)
            self.constant = nil
        }
        if constant == nil {
            each.append(contentsOf: repeatElement(size, count: added))
        }
        count += added
        total += UInt64(size) * UInt64(added)
    }

    mutating func removeLast(_ removed: Int) {
        let removed = min(removed, count)
        if let constant {
            total -= UInt64(constant) * UInt64(removed)
        } else {
            for size in each.suffix(removed) { total -= UInt64(size) }
            each.removeLast(removed)
        }
        count -= removed
    }

    subscript(range: Range<Int>) -> SampleSizes {
        var part = SampleSizes()
        part.constant = constant
        if constant == nil { part.each = Array(each[range]) }
        part.count = range.count
        part.total = total(of: range)
        return part
    }

    /// The sum of the sizes of these samples.
    func total(of range: Range<Int>) -> UInt64 {
        if let constant { return UInt64(constant) * UInt64(range.count) }
        return each[range].reduce(0) { $0 + UInt64($1) }
    }

    /// The sum of the sizes of the last `number` samples.
    func total(ofLast number: Int) -> UInt64 {
        if let constant { return UInt64(constant) * UInt64(number) }
        return each.suffix(number).reduce(0) { $0 + UInt64($1) }
    }

    /// How many of the last `number` samples, which begin at `offset` in the file, end at or before `end`.
    func wholeSamples(inLast number: Int, from offset: UInt64, before end: UInt64) -> Int {
        guard offset <= end else { return 0 }
        if let constant {
            return constant == 0 ? number : min(number, Int(clamping: (end - offset) / UInt64(constant)))
        }
        var position = offset
        for (index, size) in each.suffix(number).enumerated() {
            position += UInt64(size)
            if position > end { return index }
        }
        return number
    }
}
