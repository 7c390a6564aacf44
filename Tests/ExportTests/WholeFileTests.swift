import Testing

@testable import Export

@Suite struct WholeFileTests {
    @Test func `a Matroska file says how long it is`() {
        let head: [UInt8] = [
            0x1A, 0x45, 0xDF, 0xA3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0x84, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        ]
        let size = TruncationCheck.declaredSize(head)
        #expect(size == 16)
        let unknown: [UInt8] =
            [0x1A, 0x45, 0xDF, 0xA3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0xFF] + [UInt8](repeating: 1, count: 9)
        #expect(TruncationCheck.declaredSize(unknown) == nil)
    }

    @Test func `AVI and MP4 files say it too, and noise says nothing`() {
        #expect(TruncationCheck.declaredSize(Array("RIFF".utf8) + [0, 1, 0, 0, 65, 86]) == 264)
        #expect(TruncationCheck.declaredSize([1, 2, 3]) == nil)
        let type: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0]
        #expect(
            TruncationCheck.declaredSize(type + [0, 1, 0, 0] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]) == 65552)
        #expect(
            TruncationCheck.declaredSize(type + [0, 0, 0, 1] + Array("mdat".utf8) + [1, 0, 0, 0, 0, 0, 0, 0])
                == Int64(72_057_594_037_927_952))
        #expect(TruncationCheck.declaredSize(type + [UInt8](repeating: 0xFF, count: 40)) == Int64(4_294_967_311))
        #expect(TruncationCheck.declaredSize(type + [0, 0, 0, 1] + [UInt8](repeating: 0xFF, count: 40)) == nil)
        #expect(TruncationCheck.declaredSize([0x1A, 0x45, 0xDF, 0xA3]) == nil)
    }
}
