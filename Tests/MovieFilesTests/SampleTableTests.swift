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

    @Test("knows when the first frame is shown and the last one ends, whatever the order of decoding")
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

    @Test("costs nothing for frames of PCM audio, however many")
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

    @Test("reads what it wrote: times, order, sync samples, sizes, places and descriptions", arguments: [false, true])
    func roundTrip(_ isWide: Bool) throws {
        var table = Self.table()
        table.append(
            [FragmentSample(duration: 7, size: 9, isSync: false, compositionOffset: -5)], at: 6000, description: 2)
        let read = try SampleTable(Box("stbl", children: try table.boxes(isWide: isWide)))
        #expect(read.chunks == table.chunks)
        #expect(read.durations.runs == table.durations.runs)
        #expect(read.compositionOffsets.runs == table.compositionOffsets.runs)
        #expect(read.sizes.each == table.sizes.each)
        #expect(read.syncSamples.list == [1, 4])
        #expect(read.chunks.map(\.description) == [1, 1, 2])
        let part = read.samples(1..<4)
        #expect(part.durations.count == 3 && part.compositionOffsets.count == 3 && part.sizes.each == [50, 50, 70])
        #expect(part.syncSamples.list == [3] && part.duration == 30)
    }

    @Test("reads sizes of 4, 8 and 16 bits", arguments: [4, 8, 16])
    func compactSizes(_ bits: Int) throws {
        let sizes: [UInt8] = [3, 15, 1]
        let packed: [UInt8] =
            switch bits {
            case 4: [0x3F, 0x10]
            case 8: sizes
            default: sizes.flatMap { [0, $0] }
            }
        let stz2 = try Box(full: "stz2") { (writer: inout ByteWriter) in
            writer.append(UInt32(bits))
            writer.append(UInt32(3))
            writer.append(contentsOf: packed)
        }
        var table = SampleTable()
        table.append(
            sizes.map { FragmentSample(duration: 1, size: UInt32($0), isSync: true, compositionOffset: 0) }, at: 8)
        var boxes = try table.boxes()
        boxes.removeAll { $0.type == "stsz" }
        #expect(try SampleTable(Box("stbl", children: boxes + [stz2])).sizes.each == [3, 15, 1])
    }

    @Test("knows the size of frames of audio that QuickTime of old calls one byte")
    func oldFrames() throws {
        var table = SampleTable()
        table.append(
            [FragmentSample(duration: 1, size: 1, isSync: true, compositionOffset: 0, count: 3_000_000_000)], at: 8)
        let stbl = Box("stbl", children: try table.boxes())
        #expect(try SampleTable(stbl, bytesPerFrame: 4).sizes.total == 12_000_000_000)
        #expect(try SampleTable(stbl).sizes.total == 3_000_000_000)
    }

    @Test(
        "tells which sample is shown when",
        arguments: [(0, nil), (20, 2), (49, 2), (50, 3), (90, 3)] as [(UInt64, Int?)])
    func shown(_ time: UInt64, _ index: Int?) {
        // Presented at 20, 50, 20 and 50, in decoding order: the later one of two at a time counts.
        #expect(Self.table().sample(shownAt: time)?.index == index)
    }
}
