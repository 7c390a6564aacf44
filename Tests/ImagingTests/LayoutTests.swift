import Errors
import Imaging
import MediaTypes
import Testing

@Suite struct LayoutTests {
    private static let output = VideoSize(1920, 1080)
    private static let wide = VideoSize(1280, 720)

    private func rectangles(
        _ text: String, in output: VideoSize = output, feeds: [VideoSize] = [output, wide]
    ) throws -> [PixelRectangle] {
        try Layout(text).placements(in: output, feeds: feeds).map(\.rectangle)
    }

    private static func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRectangle {
        PixelRectangle(x: x, y: y, width: width, height: height)
    }

    @Test(arguments: [
        ("top-left", rectangle(32, 32, 480, 270)), ("top-right", rectangle(1408, 32, 480, 270)),
        ("bottom-left", rectangle(32, 778, 480, 270)), ("bottom-right", rectangle(1408, 778, 480, 270)),
        ("bottom-right,size=50%,margin=0", rectangle(960, 540, 960, 540)),
        ("top-left,size=640,margin=5%", rectangle(54, 54, 640, 360)),
        ("x=10%,y=20,width=25%", rectangle(192, 20, 480, 270)), ("x=7,y=9,width=321", rectangle(7, 9, 321, 181)),
        ("x=0,y=0,height=50%", rectangle(0, 0, 960, 540)),
        ("x=100,y=100,width=400,height=400,fill", rectangle(100, 100, 400, 400)),
        ("x=100,y=100,width=400,height=400", rectangle(100, 186, 400, 226)),
        ("x=0,y=0,width=100%,height=100%", rectangle(0, 0, 1920, 1080)),
    ])
    func insetsLieInTheMainFrame(text: String, expected: PixelRectangle) throws {
        #expect(try rectangles(text) == [Self.rectangle(0, 0, 1920, 1080), expected])
    }

    @Test func anInsetKeepsItsShapeUnlessItFills() throws {
        // A phone held upright, into a quarter of the frame.
        let upright = try Layout("bottom-right").placements(
            in: Self.output, feeds: [Self.output, VideoSize(720, 1280)])
        #expect(upright[1].rectangle == Self.rectangle(1920 - 32 - 152, 778, 152, 270))
        let filling = try Layout("bottom-right,fill").placements(
            in: Self.output, feeds: [Self.output, VideoSize(720, 1280)])
        #expect(filling[1].rectangle == Self.rectangle(1408, 778, 480, 270))
        #expect(filling[1].crop == CropRectangle(x: 0, y: 437.5, width: 720, height: 405))
    }

    @Test func severalInsetsStandInAColumn() throws {
        let feeds = [Self.output, Self.wide, Self.wide, Self.wide]
        #expect(
            try rectangles("bottom-left", feeds: feeds).dropFirst() == [
                Self.rectangle(32, 778, 480, 270), Self.rectangle(32, 476, 480, 270), Self.rectangle(32, 174, 480, 270),
            ])
        #expect(throws: RushesError.self) { try rectangles("bottom-left,size=35%", feeds: feeds) }
    }

    @Test func framesShareTheOutput() throws {
        let feeds = [Self.output, Self.wide]
        #expect(
            try rectangles("side-by-side", feeds: feeds) == [
                Self.rectangle(0, 270, 960, 540), Self.rectangle(960, 270, 960, 540),
            ])
        #expect(
            try rectangles("stacked", feeds: feeds) == [
                Self.rectangle(480, 0, 960, 540), Self.rectangle(480, 540, 960, 540),
            ])
        #expect(
            try rectangles("stacked,fill", feeds: feeds) == [
                Self.rectangle(0, 0, 1920, 540), Self.rectangle(0, 540, 1920, 540),
            ])
        #expect(try rectangles("grid", feeds: feeds) == rectangles("side-by-side", feeds: feeds))
        let three = try rectangles("grid", feeds: feeds + [Self.wide])
        #expect(
            three == [
                Self.rectangle(0, 0, 960, 540), Self.rectangle(960, 0, 960, 540), Self.rectangle(480, 540, 960, 540),
            ])
        #expect(try rectangles("grid", feeds: feeds + feeds).last == Self.rectangle(960, 540, 960, 540))
        #expect(
            try rectangles("side-by-side,margin=20,fill", feeds: feeds) == [
                Self.rectangle(20, 20, 930, 1040), Self.rectangle(970, 20, 930, 1040),
            ])
    }

    @Test func oneFrameFillsTheOutputOrStandsInItsMiddle() throws {
        #expect(try rectangles("main-only") == [Self.rectangle(0, 0, 1920, 1080)])
        #expect(
            try Layout("inset-only").placements(in: Self.output, feeds: [Self.output, Self.wide]).map(\.feed) == [1])
        #expect(try rectangles("main-only", feeds: [VideoSize(640, 480)]) == [Self.rectangle(240, 0, 1440, 1080)])
        #expect(try rectangles("bottom-right", feeds: [Self.output]).count == 1)
    }

    @Test func theMainFrameIsTheOutputItselfWhereItCanBe() throws {
        for (text, feed, isWhole) in [
            ("bottom-right", VideoSize(1920, 1080), true), ("bottom-right", VideoSize(1280, 720), false),
            ("side-by-side", VideoSize(1920, 1080), false),
        ] {
            let main = try Layout(text).placements(in: Self.output, feeds: [feed, Self.wide])[0]
            #expect(main.isWholeOutput(Self.output, frame: feed) == isWhole)
        }
    }

    @Test func radiusAndBorderGrowWithTheOutput() throws {
        for (output, unit) in [
            (VideoSize(1920, 1080), 1.0), (VideoSize(1280, 720), 2.0 / 3), (VideoSize(1080, 1920), 1),
        ] {
            let inset = try Layout("bottom-right,radius=24,border=3,shadow").placements(
                in: output, feeds: [output, output])[1]
            #expect(inset.cornerRadius == 24 * unit && inset.borderWidth == 3 * unit && inset.shadowRadius == 32 * unit)
        }
        let main = try Layout("bottom-right,radius=24").placements(in: Self.output, feeds: [Self.output, Self.wide])[0]
        #expect(main.cornerRadius == 0)
    }

    /// No size and no shape of cameras makes a place that leaves the output, or none at all.
    @Test func placesLieInAnyOutput() throws {
        let texts = [
            "top-left,radius=24", "bottom-right,border=2,shadow", "side-by-side", "stacked,fill", "grid,margin=2%",
            "main-only",
            "inset-only,fill", "x=10%,y=10%,width=33%,height=41%",
        ]
        let sizes = [
            VideoSize(1920, 1080), VideoSize(641, 481), VideoSize(1080, 1920), VideoSize(320, 320), VideoSize(177, 99),
        ]
        for text in texts {
            for output in sizes {
                for feed in sizes {
                    for place in try Layout(text).placements(in: output, feeds: [output, feed]) {
                        let (at, crop) = (place.rectangle, place.crop)
                        let frame = place.feed == 0 ? output : feed
                        #expect(at.x >= 0 && at.y >= 0 && at.width > 0 && at.height > 0, "\(text) \(output) \(feed)")
                        #expect(
                            at.x + at.width <= output.width && at.y + at.height <= output.height,
                            "\(text) \(output) \(feed)")
                        #expect(crop.x >= 0 && crop.x + crop.width <= Double(frame.width) + 1e-6)
                        #expect(crop.y >= 0 && crop.y + crop.height <= Double(frame.height) + 1e-6)
                        let shape = crop.width / crop.height * Double(at.height) / Double(at.width)
                        #expect(abs(shape - 1) < 0.12, "\(text) \(output) \(feed): distorted by \(shape)")
                    }
                }
            }
        }
    }
}
