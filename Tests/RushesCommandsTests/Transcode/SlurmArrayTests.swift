import Testing

@testable import RushesCommands

struct SlurmArrayTests {
    @Test func `numbers that follow each other are one range`() {
        let array = SlurmArray(offset: 0, tasks: [0, 1, 2, 5, 7, 8])
        #expect(array.text(jobs: nil) == "0-2,5,7-8")
        #expect(array.text(jobs: 4) == "0-2,5,7-8%4")
        #expect(SlurmArray(offset: 0, tasks: [3]).text(jobs: nil) == "3")
    }

    @Test func `more files than a cluster numbers tasks are several jobs`() {
        let arrays = SlurmArray.arrays(of: Array(0..<2500) + [7000], limit: 1001)
        #expect(arrays.map(\.offset) == [0, 1001, 2002, 6006])
        #expect(arrays.map { $0.text(jobs: nil) } == ["0-1000", "0-1000", "0-497", "994"])
        #expect(SlurmArray.arrays(of: [], limit: 1001) == [])
    }
}
