/// An array kept as runs of equal elements: the form of `stts` and `ctts`, and small while a movie is recorded.
struct RunLengthArray<Element: Equatable & Sendable>: Sendable {
    struct Run: Sendable, Equatable {
        var count: Int
        var value: Element
    }

    private(set) var runs: [Run] = []
    private(set) var count = 0

    mutating func append(_ value: Element, count added: Int = 1) {
        guard added > 0 else { return }
        if let last = runs.last, last.value == value {
            runs[runs.count - 1].count += added
        } else {
            runs.append(Run(count: added, value: value))
        }
        count += added
    }

    mutating func removeLast(_ removed: Int) {
        var left = min(removed, count)
        count -= left
        while left > 0, let last = runs.last {
            if last.count > left {
                runs[runs.count - 1].count -= left
                return
            }
            left -= last.count
            runs.removeLast()
        }
    }

    var last: Element? { runs.last?.value }

    /// The element at a place, which has to be one of the array's.
    subscript(index: Int) -> Element {
        get {
            var left = index
            return runs.first { run in
                left -= run.count
                return left < 0
            }?.value ?? runs[runs.count - 1].value
        }
        set {
            var changed = self[0..<index]
            changed.append(newValue)
            for run in self[index + 1..<count].runs { changed.append(run.value, count: run.count) }
            self = changed
        }
    }

    subscript(range: Range<Int>) -> RunLengthArray {
        var part = RunLengthArray()
        var start = 0
        for run in runs where part.count < range.count {
            let common = (start..<start + run.count).clamped(to: range)
            part.append(run.value, count: common.count)
            start += run.count
        }
        return part
    }
}
