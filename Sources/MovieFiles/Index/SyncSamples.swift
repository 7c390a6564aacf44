/// Which samples of a track are sync samples; nothing is stored while all of them are.
struct SyncSamples: Sendable {
    private var count = 0
    private var numbers: [UInt32] = []
    private(set) var areAll = true

    /// The numbers of the sync samples, from 1, as `stss` lists them; nil where every sample is one.
    var list: [UInt32]? { areAll ? nil : numbers }

    /// The last sync sample at or before one, both counted from 0; 0 where there is none.
    func last(upTo index: Int) -> Int {
        guard !areAll else { return index }
        let place = numbers.partitioningIndex { Int($0) > index + 1 }
        return place > 0 ? max(0, Int(numbers[place - 1]) - 1) : 0
    }

    subscript(range: Range<Int>) -> SyncSamples {
        var part = SyncSamples()
        part.count = range.count
        part.areAll = areAll
        let first = numbers.partitioningIndex { Int($0) > range.lowerBound }
        let end = numbers.partitioningIndex { Int($0) > range.upperBound }
        part.numbers = numbers[first..<end].map { $0 - UInt32(truncatingIfNeeded: range.lowerBound) }
        return part
    }

    mutating func append(isSync: Bool, count added: Int = 1) {
        if !isSync, areAll {
            areAll = false
            numbers = (0..<count).map { UInt32(truncatingIfNeeded: $0 + 1) }
        }
        if isSync, !areAll {
            numbers.append(contentsOf: (count..<count + added).map { UInt32(truncatingIfNeeded: $0 + 1) })
        }
        count += added
    }

    mutating func append(_ others: SyncSamples) {
        var next = 0
        for number in others.list ?? [] {
            append(isSync: false, count: Int(number) - 1 - next)
            append(isSync: true)
            next = Int(number)
        }
        append(isSync: others.areAll, count: others.count - next)
    }

    mutating func removeLast(_ removed: Int) {
        count -= min(removed, count)
        while let last = numbers.last, Int(last) > count { numbers.removeLast() }
    }
}

extension Array {
    /// The index of the first element that `belongs` holds for; it has to hold for all that follow.
    func partitioningIndex(_ belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
