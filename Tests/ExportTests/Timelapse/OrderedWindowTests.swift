import TestSupport
import Testing

@testable import Export

@Suite struct OrderedWindowTests {
    @Test(arguments: 0..<50) func `whatever is done first, results come in order, and few wait`(seed: Int) {
        var random = SeededGenerator(state: UInt64(seed))
        let limit = Int.random(in: 1...6, using: &random)
        var window = OrderedWindow<Int>(count: 100, limit: limit)
        var (working, results) = ([Int](), [Int]())
        while !window.isDone {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: if let index = window.begin() { working.append(index) }
            case 1:
                guard !working.isEmpty else { continue }
                let index = working.remove(at: Int.random(in: 0..<working.count, using: &random))
                window.finish(index, index)
            default: if let result = window.next() { results.append(result) }
            }
            #expect(working.count <= limit)
        }
        #expect(results == Array(0..<100) && window.isBegun && window.begin() == nil)
    }

    @Test func `photos are decoded on all processors as far as their memory goes`() {
        let large = 3840 * 2160 * 3 / 2
        #expect(PhotoReel.threads(of: 2, frame: large, largest: 12_000_000) == 2)
        #expect(PhotoReel.threads(of: 16, frame: large, largest: 12_000_000) == 5)
        // Scaled while it is decoded.
        #expect(PhotoReel.threads(of: 16, frame: 640 * 480 * 3 / 2, largest: 100_000_000) == 8)
        #expect(PhotoReel.threads(of: 16, frame: 4 * large, largest: 50_000_000) == 2)
        #expect(PhotoReel.threads(of: 1, frame: large, largest: 0) == 1)
    }
}
