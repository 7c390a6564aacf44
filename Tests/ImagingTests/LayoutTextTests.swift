import Errors
import Imaging
import MediaTypes
import Testing

@Suite struct LayoutTextTests {
    @Test(arguments: [
        "top-left", "bottom-right,size=30%,margin=16,radius=24,border=2,shadow", "side-by-side,fill",
        "stacked,margin=2%",
        "grid", "main-only", "inset-only", "x=70%,y=12.5%,width=25%", "x=10,y=20,width=300,height=80px,radius=8",
    ])
    func aLayoutIsWrittenAsItIsRead(text: String) throws {
        #expect(try Layout(text).description == text)
        #expect(try Layout(Layout(text).description) == Layout(text))
    }

    @Test func whatIsUsualIsOmitted() throws {
        #expect(try Layout(" Bottom-Right , size=25% , radius=0,fit").description == "bottom-right")
        #expect(try Layout("top-left,size=480px").size == .pixels(480))
        #expect(try Layout("fill,side-by-side").scaling == .fill)
    }

    @Test(arguments: [
        ("", "an empty word"), ("bottom-right,", "an empty word"),
        ("botom-right", "did you mean bottom-right?"), ("side-by-sid", "did you mean side-by-side?"),
        ("bottom-right,raduis=3", "did you mean radius?"), ("bottom-right,shado", "did you mean shadow?"),
        ("pyramid", "it can have top-left"), ("bottom-right,grid", "two places"),
        ("bottom-right,size=30%,size=40%", "twice"),
        ("bottom-right,size", "size=10%"), ("bottom-right,radius", "radius=24"),
        ("bottom-right,size=large", "not a length"),
        ("bottom-right,size=-5%", "not a length"), ("bottom-right,size=1e9", "not a length"),
        ("bottom-right,size=", "not a length"),
        ("bottom-right,size=120%", "at most 100%"), ("bottom-right,size=0%", "main-only"),
        ("bottom-right,radius=9%", "radius=24"),
        ("bottom-right,border=9999", "border=2"), ("bottom-right,fit,fill", "keep fit or fill"),
        ("radius=3", "does not say where"), ("x=3,width=20%", "lacks y="), ("x=3,y=3", "add width="),
        ("bottom-right,x=3,y=4,width=20%", "keep one of them"), ("bottom-right,size=nan", "not a length"),
        ("bottom-right,size=28", "write size=28%, or size=28px"), ("x=0,y=0,width=100", "write width=100%"),
    ])
    func whatIsWrongIsSaidWithTheCure(text: String, expected: String) {
        let error = #expect(throws: RushesError.self) { try Layout(text) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix(".") == false)
    }

    @Test(arguments: [
        ("x=1600,y=0,width=480", "on the right by 160 pixels; give x=1440 or less"),
        ("x=0,y=90%,height=50%", "at the bottom by 432 pixels; give y=540 or less"),
        ("x=0,y=0,width=2000,height=100px", "larger than the main frame"),
        ("x=0,y=0,width=1px,height=1px", "cannot be seen"),
        ("bottom-right,size=2400", "larger than the main frame"),
        ("top-left,size=99%,margin=5%", "smaller size= or margin="),
        ("stacked,margin=100%", "smaller margin="),
    ])
    func whatLeavesTheFrameIsRefused(text: String, expected: String) throws {
        let layout = try Layout(text)
        let error = #expect(throws: RushesError.self) {
            try layout.placements(in: VideoSize(1920, 1080), feeds: [VideoSize(1920, 1080), VideoSize(1280, 720)])
        }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func theNumberOfCamerasCounts() throws {
        let size = VideoSize(640, 360)
        #expect(throws: RushesError.self) { try Layout(.insetOnly).placements(in: size, feeds: [size]) }
        #expect(throws: RushesError.self) { try Layout(.grid).placements(in: size, feeds: []) }
        #expect(throws: RushesError.self) {
            try Layout(.grid).placements(in: size, feeds: [VideoSize](repeating: size, count: 5))
        }
        #expect(throws: RushesError.self) {
            try Layout("x=0,y=0,width=20%").placements(in: size, feeds: [size, size, size])
        }
    }

    /// A program may set what no text can say.
    @Test func numbersThatAreNoneEndNoProgram() throws {
        let size = VideoSize(640, 360)
        for number in [Double.nan, .infinity, -.infinity, -3, 1e300] {
            var layout = Layout(.corner(.topLeft))
            (layout.cornerRadius, layout.borderWidth) = (number, number)
            _ = try layout.placements(in: size, feeds: [size, size])
            layout.margin = .pixels(number)
            layout.size = .fraction(number)
            _ = try? layout.placements(in: size, feeds: [size, size])
            layout.arrangement = .rectangle(
                x: .pixels(number), y: .fraction(number), width: .pixels(number), height: nil)
            _ = try? layout.placements(in: size, feeds: [size, size])
        }
    }
}
