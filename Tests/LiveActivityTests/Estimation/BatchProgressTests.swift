import Testing

@testable import LiveActivity

@Suite("How far a batch is") struct BatchProgressTests {
    typealias Item = BatchProgress.Item

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var items: [Item]
        /// After the first item.
        var fraction: Double
    }

    @Test(
        "An item counts by the work that it is",
        arguments: [
            Case(testDescription: "unknown ones alike", items: [Item(), Item(), Item(), Item()], fraction: 0.25),
            Case(
                testDescription: "by duration", items: [Item(duration: 10), Item(duration: 30)], fraction: 0.25),
            Case(
                testDescription: "by duration and frame size",
                items: [Item(duration: 10, pixels: 400), Item(duration: 10, pixels: 100)], fraction: 0.8),
            Case(testDescription: "by file size", items: [Item(bytes: 100), Item(bytes: 300)], fraction: 0.25),
            Case(
                testDescription: "an unknown duration by its file's size",
                items: [Item(bytes: 500), Item(duration: 10, bytes: 1000), Item(duration: 20, bytes: 2000)],
                fraction: 5.0 / 35),
            Case(
                testDescription: "an unknown frame size by the others'",
                items: [Item(duration: 10), Item(duration: 10, pixels: 100), Item(duration: 20, pixels: 300)],
                fraction: 2000.0 / 9000),
            Case(
                testDescription: "one of which nothing is known by the others' average",
                items: [Item(), Item(duration: 10), Item(duration: 20)], fraction: 15.0 / 45),
            Case(
                testDescription: "nonsense is not known", items: [Item(duration: .nan), Item(duration: -1)],
                fraction: 0.5),
        ])
    func weights(_ expected: Case) {
        var batch = BatchProgress(expected.items)
        #expect(batch.fraction == 0)
        batch.advance(0, to: 0.5)
        #expect(abs(batch.fraction - expected.fraction / 2) < 1e-9)
        batch.finish(0)
        #expect(abs(batch.fraction - expected.fraction) < 1e-9)
        #expect(batch.completedItems == 1)
        for item in expected.items.indices { batch.finish(item) }
        #expect(abs(batch.fraction - 1) < 1e-9)
        #expect(batch.completedItems == expected.items.count)
    }

    @Test("What failed or was given up is not done, and takes no time") func abandoned() {
        var batch = BatchProgress([Item(), Item(), Item(), Item()])
        for item in 0...1 {
            batch.advance(item, to: 0.5)
            batch.abandon(item)
        }
        #expect(batch.fraction == 0.25 && abs(batch.workedFraction - 1.0 / 3) < 1e-9 && batch.completedItems == 2)
        for item in 2...3 { batch.finish(item) }
        #expect(batch.fraction == 0.75 && batch.workedFraction == 1)
    }

    @Test("No item goes back, and strange numbers change nothing") func monotonic() {
        var batch = BatchProgress([Item(), Item()])
        batch.advance(0, to: 0.8)
        batch.advance(0, to: 0.1)
        batch.advance(1, to: .nan)
        batch.advance(1, to: -3)
        batch.advance(7, to: 1)
        batch.finish(-1)
        #expect(batch.fraction == 0.4)
        batch.advance(1, to: 99)
        #expect(batch.fraction == 0.9)
        #expect(batch.completedItems == 0)
        #expect(BatchProgress([]).fraction == 0)
    }
}
