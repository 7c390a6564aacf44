import MediaTypes
import Testing

@testable import MovieFiles

@Suite("Clusters of a Matroska file")
struct ClusterPlanTests {
    /// Blocks of track 1, one every 40 ms.
    private func frames(_ count: Int, size: UInt32 = 1000, keyEvery: Int) -> [MatroskaBlock] {
        (0..<count).map { index in
            MatroskaBlock(
                source: UInt64(index) * UInt64(size), size: size, time: UInt32(index) * 40, order: Int32(index) * 40,
                track: 1, flags: index % keyEvery == 0 ? .isKey : [])
        }
    }

    /// Blocks of track 2, one every 20 ms.
    private func audio(_ count: Int, from start: Int = 0) -> [MatroskaBlock] {
        (0..<count).map { index in
            MatroskaBlock(
                source: 0, size: 300, time: UInt32(start + index * 20), order: Int32(start + index * 20), track: 2,
                flags: .isKey)
        }
    }

    private func plan(_ tracks: [[MatroskaBlock]], lead: UInt8? = 1) throws -> ClusterPlan {
        let plan = try ClusterPlan(tracks, texts: [], lead: lead)
        #expect(plan.blocks.count == tracks.reduce(0) { $0 + $1.count })
        var (next, position) = (0, UInt64(0))
        for cluster in plan.clusters {
            #expect(cluster.blocks.lowerBound == next && cluster.position == position)
            let blocks = plan.blocks[cluster.blocks]
            #expect(cluster.time == blocks.map(\.time).min())
            #expect(blocks.allSatisfy { $0.time - cluster.time <= 32_767 })
            var writer = EBMLWriter()
            writer.unsigned(.timestamp, UInt64(cluster.time))
            for block in blocks {
                block.appendHeader(to: &writer, clusterTime: cluster.time)
                writer.append(contentsOf: [UInt8](repeating: 0, count: Int(block.size)))
                writer.append(contentsOf: block.trailer)
            }
            #expect(cluster.size == UInt64(writer.bytes.count))
            next = cluster.blocks.upperBound
            position += cluster.wholeSize
        }
        #expect(next == plan.blocks.count && position == plan.size)
        return plan
    }

    @Test("begin with key frames")
    func keyFrames() throws {
        let plan = try plan([frames(250, keyEvery: 25), audio(500)])
        #expect(plan.clusters.map(\.time) == stride(from: 0, to: 10_000, by: 1000).map(UInt32.init))
        #expect(plan.clusters.allSatisfy { $0.isEntry })
        #expect(plan.clusters.allSatisfy { plan.blocks[$0.blocks.lowerBound].track == 1 })
    }

    @Test("hold half a second where every frame is a key frame")
    func allKeyFrames() throws {
        let plan = try plan([frames(250, keyEvery: 1), audio(500)])
        #expect(plan.clusters.count == 20)
        #expect(plan.clusters.allSatisfy { $0.isEntry })
    }

    @Test("last five seconds at most, and hold five megabytes at most")
    func limits() throws {
        let long = try plan([frames(500, keyEvery: 500)])
        #expect(long.clusters.map(\.time) == [0, 5000, 10_000, 15_000])
        #expect(long.clusters.map(\.isEntry) == [true, false, false, false])
        let large = try plan([frames(20, size: 2_000_000, keyEvery: 100)])
        #expect(large.clusters.count == 10)
        let huge = try plan([frames(3, size: 9_000_000, keyEvery: 1)])
        #expect(huge.clusters.count == 3)
    }

    @Test("begin with any audio where there are no frames, and with the first frame behind audio")
    func audioTracks() throws {
        let alone = try plan([audio(500)], lead: nil)
        #expect(alone.clusters.count == 2 && alone.clusters.allSatisfy { $0.isEntry })
        var late = frames(25, keyEvery: 25)
        for index in late.indices {
            late[index].time += 100
            late[index].order += 100
        }
        let plan = try plan([late, audio(50)])
        #expect(plan.clusters.map(\.isEntry) == [false, true])
    }

    @Test("hold blocks that are far from each other in time, each within reach")
    func farApart() throws {
        var frames = frames(4, keyEvery: 100)
        frames[2].time = 90_000
        #expect(try plan([frames]).clusters.count == 3)
    }

    @Test("tell how long a text is shown, and what of audio is thrown away")
    func groups() throws {
        let text = MatroskaBlock(
            source: 0, size: 5, time: 70_300, order: 70_300, duration: 500, track: 3, flags: [.isMade, .isKey])
        var writer = EBMLWriter()
        text.appendHeader(to: &writer, clusterTime: 70_000)
        #expect(writer.bytes == [0xA0, 0x8F, 0xA1, 0x89, 0x83, 0x01, 0x2C, 0] as [UInt8])
        #expect(text.trailer == [0x9B, 0x82, 0x01, 0xF4])
        #expect(text.encodedSize == 2 + 15)
        var last = text
        (last.duration, last.padding) = (0, 500)
        #expect(last.trailer.prefix(3) == [0x75, 0xA2, 0x88] && last.encodedSize == 2 + 11 + 11)
    }
}
