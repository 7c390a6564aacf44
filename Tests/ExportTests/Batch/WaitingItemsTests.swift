import Testing

@testable import Export

@Suite struct WaitingItemsTests {
    @Test func `what waits is found in order, and by its name`() {
        var waiting = WaitingItems()
        for number in [0, 1, 2, 5, 3, 4] { waiting.insert(number, name: number == 3 ? "2" : "\(number)") }
        #expect(waiting.first { _ in true } == 0 && waiting.first { $0 > 2 } == 3)
        for number in [0, 2, 4] { waiting.remove(number, name: "\(number)") }
        #expect(waiting.contains(name: "2") && !waiting.contains(name: "4") && !waiting.isEmpty)
        #expect(waiting.first { $0 > 1 } == 3)
        for (number, name) in [(5, "5"), (3, "2"), (1, "1")] { waiting.remove(number, name: name) }
        #expect(waiting.isEmpty && !waiting.contains(name: "2"))
    }
}
