import Testing

@testable import ProRes

/// Frames of 8 bits and with half the rows of chroma give the frames of those that were made whole before.
@Suite struct PlaneTests {
    private static let sizes = [(16, 16), (17, 17), (18, 34), (130, 51)]

    private func samples(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).map { UInt8(truncatingIfNeeded: ($0 &* $0 / 7) ^ ($0 % width * 3)) }
    }

    /// The frame of a frame whose chroma planes have so many rows.
    private func frame<Sample>(
        _ planes: [[Sample]], _ width: Int, _ height: Int, chromaRows: Int, isFull: Bool = false
    ) throws -> [UInt8] {
        let layout = try #require(FrameLayout(width: width, height: height, chroma: .fourTwoTwo))
        let encoder = ProResEncoder(layout: layout, variant: .hq, threads: 2)
        let bytes = MemoryLayout<Sample>.size
        let memory = planes.map { plane in
            let copy = UnsafeMutableRawPointer.allocate(byteCount: plane.count * bytes, alignment: 16)
            UnsafeMutableRawBufferPointer(start: copy, count: plane.count * bytes).copyBytes(
                from: plane.withUnsafeBytes { Array($0) })
            return copy
        }
        defer { for copy in memory { copy.deallocate() } }
        return encoder.encode(
            memory.enumerated().map { index, copy in
                let wide = index == 0 ? width : (width + 1) / 2
                return Plane(
                    bytes: copy, stride: wide * bytes, width: wide, height: index == 0 ? height : chromaRows,
                    depth: bytes == 1 ? .eight : .ten,
                    values: !isFull ? .studio : index == 0 ? .fullLuma : .fullChroma, rows: height)
            })
    }

    @Test(arguments: sizes) func eightBitsAreFourLevelsEach(size: (width: Int, height: Int)) throws {
        let (width, height) = size
        let planes = [width, (width + 1) / 2, (width + 1) / 2].map { samples($0, height) }
        #expect(
            try frame(planes, width, height, chromaRows: height)
                == frame(planes.map { $0.map { UInt16($0) * 4 } }, width, height, chromaRows: height))
    }

    @Test func theFullRangeBecomesStudioRange() throws {
        // Black, white and grey are exact in studio range.
        for (full, studio) in [([0, 128, 128], [64, 512, 512]), ([255, 128, 128], [940, 512, 512])] {
            let flat = full.map { [UInt8](repeating: UInt8($0), count: 32 * 32) }
            let expected = try frame(
                studio.map { [UInt16](repeating: UInt16($0), count: 32 * 32) }, 32, 32, chromaRows: 32)
            #expect(try frame(flat, 32, 32, chromaRows: 32, isFull: true) == expected)
        }
        let deep = [1023, 512, 512].map { [UInt16](repeating: $0, count: 32 * 32) }
        let white = [940, 512, 512].map { [UInt16](repeating: $0, count: 32 * 32) }
        #expect(
            try frame(deep, 32, 32, chromaRows: 32, isFull: true) == frame(white, 32, 32, chromaRows: 32))
    }

    @Test(arguments: sizes) func aRowThatIsMissingLiesBetweenItsNeighbours(size: (width: Int, height: Int)) throws {
        let (width, height) = size
        let (narrow, low) = ((width + 1) / 2, (height + 1) / 2)
        let planes = [samples(width, height), samples(narrow, low), samples(narrow, low)]
        let ten = planes.map { $0.map { UInt16($0) * 4 } }
        func whole(_ plane: [UInt16]) -> [UInt16] {
            (0..<height).flatMap { row in
                let near = row / 2
                let far = max(0, min(low - 1, row % 2 == 0 ? near - 1 : near + 1))
                return (0..<narrow).map { (3 * plane[near * narrow + $0] + plane[far * narrow + $0] + 2) / 4 }
            }
        }
        let expected = try frame([ten[0], whole(ten[1]), whole(ten[2])], width, height, chromaRows: height)
        #expect(try frame(planes, width, height, chromaRows: low) == expected)
        #expect(try frame(ten, width, height, chromaRows: low) == expected)
    }
}
