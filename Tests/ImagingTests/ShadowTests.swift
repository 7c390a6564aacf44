import Imaging
import MediaTypes
import Testing

@Suite struct ShadowTests {
    private static let place = PixelRectangle(x: 61, y: 50, width: 80, height: 45)

    private func drawn(_ format: PixelFormat, shadow: Double, opacity: Double = 1) throws -> (
        before: TestFrame, after: TestFrame
    ) {
        var before = TestFrame(ImageFormat(format, size: VideoSize(200, 140)))
        // One light color, so that only the shadow makes a difference beside the inset.
        for plane in 0..<3 {
            let (width, height) = before.size(of: plane)
            let value = [200.0, 90, 170][plane] * (before.format.pixelFormat.bitDepth == 8 ? 1 : 4)
            for y in 0..<height { for x in 0..<width { before[plane, x, y] = value } }
        }
        let inset = TestFrame.pattern(ImageFormat(format, size: VideoSize(160, 90)), seed: 6)
        var placement = FeedPlacement(
            feed: 1, rectangle: Self.place, crop: CropRectangle(x: 0, y: 0, width: 160, height: 90))
        (placement.cornerRadius, placement.shadowRadius, placement.opacity) = (10, shadow, opacity)
        var after = before
        try inset.read { view in
            try after.write { try FrameComposer().draw(view, at: placement, into: $0) }
        }
        return (before, after)
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .i010, .p010])
    func itFallsToNothingWithDistance(format: PixelFormat) throws {
        let (before, after) = try drawn(format, shadow: 24)
        let row = Self.place.y + Self.place.height / 2
        let (left, right) = (Self.place.x, Self.place.x + Self.place.width)
        for side in [Array((left - 30..<left).reversed()), Array(right..<right + 30)] {
            let values = side.map { after[0, $0, row] }
            #expect(values == values.sorted(), "\(values)")
            #expect(values[0] < before[0, 0, 0] * 0.85 && values[0] > before[0, 0, 0] * 0.6)
            #expect(values[25...].allSatisfy { $0 == before[0, 0, 0] })
        }
        // As it is drawn a little lower, it reaches further below than above.
        let column = left + Self.place.width / 2
        #expect(after[0, column, Self.place.y + Self.place.height + 4] < after[0, column, Self.place.y - 5])
        // Chroma becomes grey where luma becomes dark, and by as much.
        let unit = after.format.pixelFormat.bitDepth == 8 ? 1.0 : 4
        let (luma, chroma) = (
            after[0, column, Self.place.y + Self.place.height + 4],
            after[1, column / 2, (Self.place.y + Self.place.height + 4) / 2]
        )
        let dark = (luma - 16 * unit) / (200 * unit - 16 * unit)
        #expect(abs((128 * unit - chroma) / (38 * unit) - dark) < 0.06)
    }

    @Test(arguments: [PixelFormat.i420, .p010])
    func theInsetItselfLiesInNoShadow(format: PixelFormat) throws {
        let (with, without) = (try drawn(format, shadow: 20).after, try drawn(format, shadow: 0).after)
        for y in Self.place.y + 11..<Self.place.y + Self.place.height - 11 {
            for x in Self.place.x + 1..<Self.place.x + Self.place.width - 1 {
                #expect(with[0, x, y] == without[0, x, y])
            }
        }
    }

    /// Half of an inset and its shadow is the mean of all of it and nothing.
    @Test(arguments: [PixelFormat.i420, .nv12, .i010])
    func itFadesWithTheInset(format: PixelFormat) throws {
        let (before, whole) = try drawn(format, shadow: 24)
        let half = try drawn(format, shadow: 24, opacity: 0.5).after
        let tolerance = format == .i010 ? 5.0 : 1.6
        for plane in 0..<3 {
            let (width, height) = before.size(of: plane)
            for y in 0..<height {
                for x in 0..<width {
                    let mean = (before[plane, x, y] + whole[plane, x, y]) / 2
                    guard abs(half[plane, x, y] - mean) > tolerance else { continue }
                    Issue.record("plane \(plane), \(x), \(y): \(half[plane, x, y]), not \(mean)")
                    return
                }
            }
        }
    }
}
