import Testing

@testable import ProRes

@Suite struct ProResEncoderTests {
    /// A frame with something of each frequency in it, and its frame.
    func frame(
        _ width: Int, _ height: Int, _ variant: ProResVariant, threads: Int = 1, _ mode: InterlaceMode = .progressive
    ) throws -> [UInt8] {
        let layout = try #require(FrameLayout(width: width, height: height, chroma: variant.chroma))
        let narrow = variant.chroma == .fourTwoTwo ? (width + 1) / 2 : width
        let samples = [width, narrow, narrow].map { width in
            (0..<width * height).map { UInt16(truncatingIfNeeded: ($0 &* $0 / 7) ^ ($0 % width * 3)) & 1023 }
        }
        let encoder = ProResEncoder(layout: layout, variant: variant, threads: threads)
        return samples[0].withUnsafeBufferPointer { luma in
            samples[1].withUnsafeBufferPointer { blue in
                samples[2].withUnsafeBufferPointer { red in
                    encoder.encode(
                        zip([luma, blue, red], [width, narrow, narrow]).compactMap { samples, width in
                            samples.baseAddress.map {
                                Plane(bytes: $0, stride: 2 * width, width: width, height: height)
                            }
                        }, mode)
                }
            }
        }
    }

    func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    @Test(arguments: [(16, 16), (18, 34), (130, 50), (400, 96)], ProResVariant.allCases)
    func theSizesInTheHeadersAddUp(size: (Int, Int), variant: ProResVariant) throws {
        let frame = try frame(size.0, size.1, variant)
        #expect(number(frame[0..<4]) == frame.count)
        #expect(String(decoding: frame[4..<8], as: UTF8.self) == "icpf")
        #expect(number(frame[16..<18]) == size.0 && number(frame[18..<20]) == size.1)
        #expect(frame[20] >> 6 == (variant == .fourFourFourFour ? 3 : 2))
        let contents = 8 + number(frame[8..<10])
        #expect(number(frame[contents + 1..<contents + 5]) == frame.count - contents)
        let slices = number(frame[contents + 5..<contents + 7])
        let table = contents + 8
        let sizes = (0..<slices).map { number(frame[table + 2 * $0..<table + 2 * $0 + 2]) }
        #expect(table + 2 * slices + sizes.reduce(0, +) == frame.count)
        var start = table + 2 * slices
        for size in sizes {
            let planes = number(frame[start + 2..<start + 4]) + number(frame[start + 4..<start + 6])
            #expect(frame[start] == 6 << 3 && 6 + planes <= size)
            start += size
        }
    }

    @Test(arguments: [(16, 16), (18, 34), (130, 50), (400, 96)], [InterlaceMode.topFieldFirst, .bottomFieldFirst])
    func twoFieldsAreTwoPictures(size: (Int, Int), mode: InterlaceMode) throws {
        let frame = try frame(size.0, size.1, .hq, mode)
        #expect(number(frame[0..<4]) == frame.count)
        #expect(frame[20] >> 2 & 3 == mode.rawValue)
        var picture = 8 + number(frame[8..<10])
        for _ in 0..<2 {
            let slices = number(frame[picture + 5..<picture + 7])
            let sizes = (0..<slices).map { number(frame[picture + 8 + 2 * $0..<picture + 10 + 2 * $0]) }
            #expect(slices > 0 && number(frame[picture + 1..<picture + 5]) == 8 + 2 * slices + sizes.reduce(0, +))
            picture += number(frame[picture + 1..<picture + 5])
        }
        #expect(picture == frame.count)
    }

    @Test func theNumberOfThreadsChangesNothing() throws {
        let one = try frame(400, 96, .hq)
        for threads in [2, 5, 64] { #expect(try frame(400, 96, .hq, threads: threads) == one) }
    }

    @Test func aRowEndsWithSmallerSlices() throws {
        let layout = try #require(FrameLayout(width: 16 * 15, height: 16, chroma: .fourTwoTwo))
        #expect(layout.slices.map(\.count) == [8, 4, 2, 1])
        #expect(layout.slices.map(\.first) == [0, 8, 12, 14])
        #expect(FrameLayout(width: 0, height: 16, chroma: .fourTwoTwo) == nil)
        #expect(FrameLayout(width: 65536, height: 16, chroma: .fourTwoTwo) == nil)
    }

    @Test(arguments: [4, 4.5, 6.9, 33, 100, 2048, 99999])
    func theMatrixStandsForTheStep(step: Double) {
        let quantiser = Quantiser(step: step)
        #expect(quantiser.matrix.allSatisfy { 2...63 ~= $0 })
        #expect(quantiser.index >= 1 && quantiser.index <= 128)
        let mean = quantiser.matrix.reduce(0.0) { $0 + Double($1) } / 64 * Double(quantiser.index)
        #expect(step > 2048 || abs(mean - step) <= 0.51 * Double(quantiser.index))
    }
}
