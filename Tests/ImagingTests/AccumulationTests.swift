import Imaging
import MediaTypes
import Testing

/// What is made of many frames, against sums that are made sample by sample.
@Suite struct AccumulationTests {
    private static let formats: [PixelFormat] = [.i420, .i010]

    private func frames(_ format: PixelFormat, _ color: ColorEncoding = .bt709, count: Int = 3) -> [TestFrame] {
        // Odd, so that the last chroma sample has one of luma.
        let format = ImageFormat(format, size: VideoSize(35, 21), color: color)
        return (1...UInt64(count)).map { TestFrame.pattern(format, seed: $0) }
    }

    private func forAll(_ frame: TestFrame, _ body: (_ plane: Int, _ x: Int, _ y: Int) -> Void) {
        for plane in 0..<3 {
            let (width, height) = frame.size(of: plane)
            for y in 0..<height { for x in 0..<width { body(plane, x, y) } }
        }
    }

    @Test(arguments: formats) func `a mean is that of each sample, and begins anew`(format: PixelFormat) {
        let frames = frames(format)
        let mean = FrameMean(frames[0].format)
        var result = TestFrame(frames[0].format)
        for _ in 0..<2 {
            for frame in frames { frame.read { mean.add($0) } }
            #expect(mean.count == 3)
            result.write { mean.take(into: $0) }
            forAll(result) { plane, x, y in
                let sum = frames.reduce(0) { $0 + $1[plane, x, y] }
                #expect(result[plane, x, y] == (sum / 3).rounded())
            }
        }
        #expect(mean.count == 0)
    }

    @Test(arguments: formats) func `the brightest pixels stay, with the color of the brightest`(format: PixelFormat) {
        let frames = frames(format)
        let pixels = BrightestPixels(frames[0].format)
        for frame in frames { frame.read { pixels.add($0) } }
        var result = TestFrame(frames[0].format)
        pixels.withView { view in result.write { $0.copy(view) } }
        forAll(result) { plane, x, y in
            guard plane > 0 else {
                let most = frames.map { $0[0, x, y] }.max()
                #expect(result[0, x, y] == most)
                return
            }
            let lights = frames.map { light(of: $0, x, y) }
            let brightest = lights.firstIndex(of: lights.max() ?? 0) ?? 0
            #expect(result[plane, x, y] == frames[brightest][plane, x, y])
        }
    }

    /// The brightest luma of those that share a sample of chroma.
    private func light(of frame: TestFrame, _ x: Int, _ y: Int) -> Double {
        var brightest = 0.0
        for row in 2 * y...min(2 * y + 1, frame.format.size.height - 1) {
            for column in 2 * x...min(2 * x + 1, frame.format.size.width - 1) {
                brightest = max(brightest, frame[0, column, row])
            }
        }
        return brightest
    }

    @Test(arguments: [ColorEncoding.Range.limited, .full]) func `mean luma is that of the range`(
        range: ColorEncoding.Range
    ) throws {
        var frame = TestFrame(ImageFormat(.i420, size: VideoSize(16, 16), color: ColorEncoding(.bt601, range)))
        try frame.write { try FrameComposer().fill(of: $0, with: .white) }
        #expect(frame.read { $0.meanLuma } == 1)
        try frame.write { try FrameComposer().fill(of: $0) }
        #expect(frame.read { $0.meanLuma } == 0)
    }

    @Test(arguments: formats, ColorEncoding.Matrix.allCases) func `a keogram has the middle of each frame`(
        format: PixelFormat, matrix: ColorEncoding.Matrix
    ) throws {
        let colors = [(1.0, 0.0, 0.0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (0.25, 0.5, 0.75)]
        var keogram = Keogram()
        for color in colors {
            var frame = TestFrame(ImageFormat(format, size: VideoSize(34, 20), color: ColorEncoding(matrix)))
            try frame.write {
                try FrameComposer().fill(of: $0)
                // Only the middle: what is beside it is black.
                try FrameComposer().fill(
                    PixelRectangle(x: 16, y: 0, width: 2, height: 10), of: $0,
                    with: FrameColor(red: color.0, green: color.1, blue: color.2))
            }
            frame.read { keogram.add($0) }
        }
        let image = try #require(keogram.image)
        #expect(image.width == 5 && image.height == 20)
        for (x, color) in colors.enumerated() {
            let wanted = [color.0, color.1, color.2].map { $0 * 255 }
            let (first, last) = (image.pixel(x, 0), image.pixel(x, 19))
            #expect(zip(first, wanted).allSatisfy { abs(Double($0) - $1) <= 3 }, "\(first) \(wanted)")
            #expect(last == [0, 0, 0])
        }
    }

    @Test func `a keogram of more frames than columns brings neighbours together`() throws {
        var keogram = Keogram(limit: 8)
        for level in 0..<20 {
            var frame = TestFrame(ImageFormat(.i420, size: VideoSize(8, 4), color: ColorEncoding(.bt709, .full)))
            let light = Double(level) / 20
            try frame.write {
                try FrameComposer().fill(of: $0, with: FrameColor(red: light, green: light, blue: light))
            }
            frame.read { keogram.add($0) }
        }
        let image = try #require(keogram.image)
        // Four frames a column.
        #expect(image.width == 5)
        for x in 0..<5 {
            let mean = (Double(4 * x) + 1.5) / 20 * 255
            #expect(abs(Double(image.pixel(x, 2)[1]) - mean) <= 1)
        }
    }

    /// Of the formats that encoders want.
    @Test(arguments: [
        (PixelFormat.i420, PixelFormat.nv12), (.i010, .p010), (.i420, .i422), (.i010, .i210),
    ]) func `text is drawn alike into frames of all kinds`(plain: PixelFormat, other: PixelFormat) throws {
        // A block of 6 by 4 pixels, with a border of one.
        let stamp = try #require(
            TextStamp(coverage: [UInt8](repeating: 255, count: 24), width: 6, border: 1))
        func drawn(_ format: PixelFormat) -> (before: TestFrame, after: TestFrame) {
            let before = TestFrame.pattern(ImageFormat(format, size: VideoSize(35, 21)), seed: 3)
            var after = before
            after.write { stamp.draw(into: $0, x: 5, y: 9) }
            return (before, after)
        }
        let (wanted, result) = (drawn(plain), drawn(other))
        let (width, height) = wanted.after.size(of: 0)
        let white = other == .p010 || other == .i210 ? 940.0 : 235
        for y in 0..<height {
            for x in 0..<width { #expect(result.after[0, x, y] == wanted.after[0, x, y]) }
        }
        #expect(result.after[0, 8, 11] == white && result.after[0, 20, 11] == result.before[0, 20, 11])
        for plane in 1...2 {
            let (width, height) = result.after.size(of: plane)
            let isWhole = wanted.after.size(of: plane).height == height
            for y in 0..<height {
                for x in 0..<width {
                    let own = result.after[plane, x, y]
                    if isWhole { #expect(own == wanted.after[plane, x, y]) }
                    // Columns 4 to 11 and rows 8 to 13 are covered, of chroma 2 to 5.
                    let isBeside = !(2...5).contains(x) || !(isWhole ? 4...6 : 8...13).contains(y)
                    if isBeside { #expect(own == result.before[plane, x, y]) }
                    if x == 3, y == (isWhole ? 5 : 10) { #expect(own == (white > 255 ? 512 : 128)) }
                }
            }
        }
    }
}

extension Keogram.Image {
    fileprivate func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        Array(bytes[(y * width + x) * 3..<(y * width + x) * 3 + 3])
    }
}
