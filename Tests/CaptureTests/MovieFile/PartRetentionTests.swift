import Testing

@testable import Capture

@Suite struct PartRetentionTests {
    @Test func `the oldest go, as many as it takes, and no more`() {
        var retention = PartRetention(limit: 100)
        #expect(retention.add(0, bytes: 40).excess == [])
        #expect(retention.add(1, bytes: 60).excess == [])
        #expect(retention.add(2, bytes: 1).excess == [0])
        #expect(retention.add(3, bytes: 99).excess == [1])
    }

    @Test func `the newest stays, though it alone is too much, until the next one is complete`() {
        var retention = PartRetention(limit: 100)
        #expect(retention.add(0, bytes: 40) == ([], false))
        #expect(retention.add(1, bytes: 101) == ([0], true))
        #expect(retention.add(2, bytes: 99) == ([1], false))
    }

    @Test func `what is pinned stays, counts, and is told where it is too much`() {
        var retention = PartRetention(limit: 100)
        #expect(retention.add(0, bytes: 50, isPinned: true) == ([], false))
        #expect(retention.add(1, bytes: 40, isPinned: true) == ([], false))
        #expect(retention.add(2, bytes: 20) == ([], true))
        #expect(retention.add(3, bytes: 20, isPinned: true) == ([2], true))
        #expect(retention.add(4, bytes: 5) == ([], true))
    }
}
