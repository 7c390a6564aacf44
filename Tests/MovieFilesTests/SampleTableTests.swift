import Testing

@testable import MovieFiles

@Suite("A sample table")
struct SampleTableTests {
    private static func table() -> SampleTable {
        var table = SampleTable()
        table.append(
            [
                FragmentSample(duration: 10, size: 100, isSync: true, compositionOffset: 20),
                FragmentSample(duration: 10, size: 50, isSync: false, compositionOffset: 40),
                FragmentSample(duration: 10, size: 50, isSync: false, compositionOffset: 0),
            ], at: 1000)
        table.append([FragmentSample(duration: 10, size: 70, isSync: true, compositionOffset: 20)], at: 5000)
        return table
    }

    @Test("knows when the first picture is shown and the last one ends, whatever the order of decoding")
    func presentation() {
        // Shown at 20, 50, 20 and 50.
        #expect(Self.table().presentationTimes == 20..<60)
        #expect(SampleTable().presentationTimes == 0..<0)
    }

    @Test(
        "forgets the samples that a file does not hold, and no others",
        arguments: [(5070, 4), (5069, 3), (5000, 3), (1200, 3), (1199, 2), (1149, 1), (1099, 0), (0, 0)])
    func removal(_ end: UInt64, _ count: Int) {
        var table = Self.table()
        let removed = table.removeSamples(beyond: end)
        #expect(removed == 4 - count)
        #expect(table.count == count)
        #expect(table.duration == UInt64(count) * 10)
        #expect(table.compositionOffsets.count == count)
        #expect(table.durations.count == count)
        #expect(table.chunks.reduce(0) { $0 + $1.sampleCount } == count)
        #expect((table.syncSamples.list ?? []).allSatisfy { $0 <= count })
    }

    @Test("lets the last sample last until the next fragment begins")
    func stretching() {
        var table = Self.table()
        let isLonger = table.stretch(to: 47)
        #expect(isLonger)
        #expect(table.duration == 47)
        #expect(table.durations.runs == [.init(count: 3, value: 10), .init(count: 1, value: 17)])
        let isShorter = table.stretch(to: 30)
        #expect(!isShorter)
        #expect(table.duration == 47)
    }

    @Test("costs nothing for frames of PCM sound, however many")
    func frames() {
        var table = SampleTable()
        for chunk in 0..<100 {
            let frames = FragmentSample(duration: 1, size: 4, isSync: true, compositionOffset: 0, count: 24_000)
            table.append([frames], at: UInt64(chunk) * 100_000)
        }
        #expect(table.count == 2_400_000)
        #expect(table.sizes.each.isEmpty)
        #expect(table.syncSamples.list == nil)
        let removed = table.removeSamples(beyond: 99 * 100_000 + 6)
        #expect(removed == 23_999)
        #expect(table.duration == 2_376_001)
    }
}
