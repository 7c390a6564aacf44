import Imaging
import MediaTypes
import TestSupport
import Testing

@Suite struct FrameComposerTests {
    struct Case: CustomTestStringConvertible {
        var main = PixelFormat.i420
        var mainColor = ColorEncoding.bt709
        var mainSize = VideoSize(192, 108)
        var inset = PixelFormat.i420
        var insetColor = ColorEncoding.bt709
        var insetSize = VideoSize(160, 90)
        var place = PixelRectangle(x: 40, y: 30, width: 60, height: 34)
        var crop: CropRectangle?
        var radius = 0.0
        var border = 0.0
        var opacity = 1.0

        var testDescription: String {
            "\(inset) \(insetSize) \(insetColor.matrix) \(insetColor.range) in \(main) \(mainSize) \(mainColor.matrix) \(mainColor.range) at "
                + "\(place.x),\(place.y) \(place.width)×\(place.height), radius \(radius), border \(border), opacity \(opacity)"
        }

        var placement: FeedPlacement {
            let whole = CropRectangle(x: 0, y: 0, width: Double(insetSize.width), height: Double(insetSize.height))
            var placement = FeedPlacement(feed: 1, rectangle: place, crop: crop ?? whole)
            placement.cornerRadius = radius
            placement.borderWidth = border
            placement.opacity = opacity
            return placement
        }
    }

    private func check(_ chosen: Case) throws {
        let before = TestFrame.pattern(
            ImageFormat(chosen.main, size: chosen.mainSize, color: chosen.mainColor), seed: 3)
        let inset = TestFrame.pattern(
            ImageFormat(chosen.inset, size: chosen.insetSize, color: chosen.insetColor), seed: 8)
        var frame = before
        let composer = FrameComposer()
        try inset.read { view in
            try frame.write { output in try composer.draw(view, at: chosen.placement, into: output) }
        }
        var reference = ReferenceComposition(before)
        reference.draw(inset, at: chosen.placement)
        for plane in 0..<3 {
            let psnr = reference.psnr(frame, plane, in: chosen.place)
            #expect(psnr > 45, "plane \(plane): \(psnr) dB")
        }
        expectUntouched(frame, before, beside: chosen.place)
        // Once more, from what is kept.
        var again = before
        try inset.read { view in
            try again.write { output in try composer.draw(view, at: chosen.placement, into: output) }
        }
        #expect(again.bytes == frame.bytes)
    }

    private func expectUntouched(_ frame: TestFrame, _ before: TestFrame, beside place: PixelRectangle) {
        var same = frame
        for plane in 0..<3 {
            let (width, height) = frame.size(of: plane)
            let share = plane == 0 ? 0 : 1
            let rows = [.i422, .i210].contains(frame.format.pixelFormat) ? 0 : share
            for y in max(place.y, 0) >> rows..<min((place.y + place.height + rows) >> rows, height) {
                for x in max(place.x, 0) >> share..<min((place.x + place.width + share) >> share, width) {
                    same[plane, x, y] = before[plane, x, y]
                }
            }
        }
        #expect(same.bytes == before.bytes, "something beside the inset was written")
    }

    private static let shapes: [Case] = [
        Case(radius: 9, border: 2), Case(opacity: 0.4), Case(radius: 12.5, opacity: 0.7), Case(border: 1.5),
        // Ratios that libyuv has and that it has not; unscaled; larger.
        Case(place: PixelRectangle(x: 40, y: 30, width: 80, height: 45)),
        Case(insetSize: VideoSize(160, 96), place: PixelRectangle(x: 10, y: 12, width: 60, height: 36), radius: 8),
        Case(insetSize: VideoSize(128, 96), place: PixelRectangle(x: 10, y: 12, width: 96, height: 72), radius: 8),
        Case(insetSize: VideoSize(240, 136), place: PixelRectangle(x: 4, y: 6, width: 60, height: 34), radius: 8),
        Case(insetSize: VideoSize(60, 34), radius: 8), Case(insetSize: VideoSize(41, 23), radius: 8),
        Case(insetSize: VideoSize(41, 23), place: PixelRectangle(x: 0, y: 0, width: 192, height: 108)),
        // Only a part of the inset.
        Case(crop: CropRectangle(x: 20, y: 10, width: 120, height: 68), radius: 4),
        Case(crop: CropRectangle(x: 21.3, y: 9.7, width: 100.5, height: 60), radius: 4),
    ]

    @Test(arguments: Cases.taken(of: shapes, most: 20))
    func framesAreAsInFloatingPoint(chosen: Case) throws { try check(chosen) }

    private static let odd: [Case] = [(0, 0), (1, 0), (0, 1), (1, 1)].flatMap { x, y in
        [(60, 34), (61, 34), (60, 35), (61, 35)].flatMap { width, height in
            [PixelFormat.i420, .nv12, .i422, .i010, .i210, .p010].map { format in
                Case(
                    main: format, inset: format,
                    place: PixelRectangle(x: 40 + x, y: 30 + y, width: width, height: height),
                    radius: 7, border: 2)
            }
        }
    }

    @Test(arguments: Cases.taken(of: odd, most: 20))
    func oddPlacesShiftNoChroma(chosen: Case) throws { try check(chosen) }

    private static let edges: [Case] = [PixelFormat.i420, .nv12, .i210, .p010].flatMap { format in
        [
            PixelRectangle(x: -21, y: -11, width: 60, height: 34), PixelRectangle(x: 170, y: 91, width: 61, height: 35),
            PixelRectangle(x: -10, y: -10, width: 230, height: 140),
            PixelRectangle(x: 0, y: 0, width: 191, height: 107),
            PixelRectangle(x: 190, y: 106, width: 1, height: 1), PixelRectangle(x: 33, y: 13, width: 1, height: 3),
        ].flatMap { place in
            [VideoSize(192, 108), VideoSize(191, 107)].map {
                Case(main: format, mainSize: $0, place: place, radius: place.width > 6 ? 3 : 0)
            }
        }
    }

    @Test(arguments: Cases.taken(of: edges, most: 20))
    func insetsAreCutAtTheEdgesOfOddFramesToo(chosen: Case) throws { try check(chosen) }

    private static let colors: [Case] = ColorEncoding.Matrix.allCases.flatMap { from in
        ColorEncoding.Matrix.allCases.flatMap { to in
            ColorEncoding.Range.allCases.flatMap { fromRange in
                ColorEncoding.Range.allCases.map { toRange in
                    Case(
                        mainColor: ColorEncoding(to, toRange), insetColor: ColorEncoding(from, fromRange),
                        place: PixelRectangle(x: 41, y: 30, width: 60, height: 35), radius: 6, border: 1)
                }
            }
        }
    }

    @Test(arguments: Cases.taken(of: colors, most: 20))
    func colorsAreBroughtToTheOutputs(chosen: Case) throws { try check(chosen) }

    private static let formats: [Case] = PixelFormat.allCases.flatMap { inset in
        [PixelFormat.i420, .nv12, .i422, .i010, .i210, .p010].flatMap { main in
            [ColorEncoding(.bt709), ColorEncoding(.bt601, .full)].map { color in
                Case(main: main, inset: inset, insetColor: color, insetSize: VideoSize(161, 91), radius: 6)
            }
        }
    }

    @Test(arguments: Cases.taken(of: formats, most: 20))
    func anyFormatIsDrawnIntoAny(chosen: Case) throws { try check(chosen) }

    /// Radius and border that no inset of its size can have are cut to half of it.
    @Test func aSmallInsetIsACircleAtMost() throws {
        let inset = TestFrame.pattern(ImageFormat(.i420, size: VideoSize(20, 20)), seed: 1)
        func drawn(_ radius: Double, _ border: Double) throws -> TestFrame {
            var frame = TestFrame(ImageFormat(.i420, size: VideoSize(32, 32)))
            let chosen = Case(
                insetSize: VideoSize(20, 20), place: PixelRectangle(x: 3, y: 3, width: 20, height: 20), radius: radius,
                border: border)
            try inset.read { view in
                try frame.write { try FrameComposer().draw(view, at: chosen.placement, into: $0) }
            }
            return frame
        }
        #expect(try drawn(1000, 500).bytes == drawn(10, 10).bytes)
        #expect(try drawn(-5, -5).bytes == drawn(0, 0).bytes)
    }

    @Test func framesThatAreOnlyReadAreNotDrawnInto() throws {
        var frame = TestFrame(ImageFormat(.yuy2, size: VideoSize(64, 36)))
        let inset = TestFrame(ImageFormat(.i420, size: VideoSize(64, 36)))
        let placement = Case(insetSize: VideoSize(64, 36)).placement
        #expect(throws: ImagingError.unwritableFormat(.yuy2)) {
            try inset.read { view in try frame.write { try FrameComposer().draw(view, at: placement, into: $0) } }
        }
        #expect(throws: ImagingError.unwritableFormat(.yuy2)) { try frame.write { try FrameComposer().fill(of: $0) } }
    }
}
