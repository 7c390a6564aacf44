import Imaging
import MediaTypes
import Testing

@Suite struct FillTests {
    @Test(arguments: [PixelFormat.i420, .nv12, .i010, .p010], [ColorEncoding.Range.limited, .full])
    func aFrameIsFilledWithOneColor(format: PixelFormat, range: ColorEncoding.Range) throws {
        var frame = TestFrame.pattern(
            ImageFormat(format, size: VideoSize(35, 21), color: ColorEncoding(.bt709, range)), seed: 1)
        try frame.write { try FrameComposer().fill(of: $0) }
        let unit = frame.format.pixelFormat.bitDepth == 8 ? 1.0 : 4
        let black = [range == .full ? 0 : 16 * unit, 128 * unit, 128 * unit]
        for plane in 0..<3 {
            let (width, height) = frame.size(of: plane)
            for y in 0..<height { for x in 0..<width { #expect(frame[plane, x, y] == black[plane]) } }
        }
    }

    @Test func aPartIsFilledAndNothingBeside() throws {
        let before = TestFrame.pattern(ImageFormat(.nv12, size: VideoSize(64, 48)), seed: 1)
        var frame = before
        let red = FrameColor(red: 1, green: 0, blue: 0)
        let part = PixelRectangle(x: 11, y: 6, width: 21, height: 13)
        try frame.write { try FrameComposer().fill(part, of: $0, with: red) }
        for y in 0..<48 {
            for x in 0..<64 {
                let isInside = (11..<32).contains(x) && (6..<19).contains(y)
                // ITU-R BT.709, limited: 16 + 219 × 0.2126.
                #expect(frame[0, x, y] == (isInside ? 63 : before[0, x, y]))
            }
        }
        // The column at the left edge has half of its chroma, those within have all.
        #expect(frame[2, 7, 4] == 240)
        #expect(abs(frame[2, 5, 4] - (before[2, 5, 4] + 240) / 2) <= 1)
        #expect(frame[2, 4, 4] == before[2, 4, 4])
        try frame.write { try FrameComposer().fill(PixelRectangle(x: 70, y: 0, width: 9, height: 9), of: $0) }
        #expect(frame[0, 63, 0] == before[0, 63, 0])
    }
}
