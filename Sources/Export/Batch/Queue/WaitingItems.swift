/// The items of a batch that wait, in order: pure. What is asked often costs the same however many items there are, or are over.
struct WaitingItems: Sendable {
    /// In order.
    private var numbers: ArraySlice<Int> = []
    /// How many wait under a name.
    private var names: [String: Int] = [:]

    var isEmpty: Bool { numbers.isEmpty }

    func contains(name: String) -> Bool { names[name] != nil }

    /// The first that can begin. Looks at those before it.
    func first(where canBegin: (Int) -> Bool) -> Int? { numbers.first(where: canBegin) }

    mutating func insert(_ number: Int, name: String) {
        // What is added comes last; what waits again for want of space is rare.
        if numbers.last ?? -1 < number { numbers.append(number) } else { numbers.insert(number, at: place(of: number)) }
        names[name, default: 0] += 1
    }

    mutating func remove(_ number: Int, name: String) {
        if numbers.first == number { numbers.removeFirst() } else { numbers.remove(at: place(of: number)) }
        let left = (names[name] ?? 0) - 1
        names[name] = left > 0 ? left : nil
    }

    /// Where a number is, or is to be.
    private func place(of number: Int) -> Int {
        var range = numbers.startIndex..<numbers.endIndex
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            range = numbers[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
