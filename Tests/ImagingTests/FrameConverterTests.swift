import Imaging
import MediaTypes
import Testing

@Suite struct FrameConverterTests {
    private static let writable: [PixelFormat] = [.i420, .nv12, .i422, .i010, .i210, .p010]

    private static func whole(_ size: VideoSize) -> FeedPlacement {
        FeedPlacement(
            feed: 0, rectangle: PixelRectangle(x: 0, y: 0, width: size.width, height: size.height),
            crop: CropRectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
    }

    /// Samples stay as they are, but for the rounding of what has to be computed.
    @Test(arguments: PixelFormat.allCases, writable)
    func anyFormatBecomesAny(from: PixelFormat, to: PixelFormat) throws {
        for size in [VideoSize(64, 36), VideoSize(67, 35)] {
            let source = TestFrame.pattern(ImageFormat(from, size: size, color: ColorEncoding(.bt601, .full)), seed: 5)
            var target = TestFrame(ImageFormat(to, size: size))
            var reference = ReferenceComposition(target)
            reference.draw(source, at: Self.whole(size))
            try source.read { view in try target.write { try FrameConverter().convert(view, to: $0) } }
            let all = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
            for plane in 0..<3 { #expect(reference.psnr(target, plane, in: all) > 50) }
        }
    }

    @Test(arguments: writable)
    func whatIsTheSameAlreadyIsCopied(format: PixelFormat) throws {
        let source = TestFrame.pattern(ImageFormat(format, size: VideoSize(67, 35)), seed: 2)
        var target = TestFrame(source.format)
        try source.read { view in try target.write { try FrameConverter().convert(view, to: $0) } }
        #expect(target.bytes == source.bytes)
    }

    @Test(arguments: MovieOrientation.Rotation.allCases, [false, true])
    func framesAreMirroredThenTurned(rotation: MovieOrientation.Rotation, isMirrored: Bool) throws {
        // A quarter turn of 4:2:2 would leave each width with the other's chroma, and is refused.
        let isQuarter = rotation.swapsWidthAndHeight
        for format in Self.writable where !isQuarter || ![.i422, .i210].contains(format) {
            // Even: of an odd frame the chroma of the last column stands beside another one when turned.
            let size = VideoSize(66, 34)
            let source = TestFrame.pattern(ImageFormat(format, size: size), seed: 4)
            let turned = rotation.swapsWidthAndHeight ? VideoSize(34, 66) : size
            var target = TestFrame(ImageFormat(format, size: turned))
            try source.read { view in
                try target.write {
                    try FrameConverter().convert(view, rotation: rotation, isMirrored: isMirrored, to: $0)
                }
            }
            for plane in 0..<3 {
                let (width, height) = source.size(of: plane)
                for y in 0..<height {
                    for x in 0..<width {
                        let column = isMirrored ? width - 1 - x : x
                        let (newX, newY) =
                            switch rotation {
                            case .none: (column, y)
                            case .quarter: (height - 1 - y, column)
                            case .half: (width - 1 - column, height - 1 - y)
                            case .threeQuarters: (y, width - 1 - column)
                            }
                        guard target[plane, newX, newY] != source[plane, x, y] else { continue }
                        Issue.record("\(format): plane \(plane), \(x), \(y)")
                        return
                    }
                }
            }
        }
    }

    /// A phone's frame, held upright, as it is wanted: turned, smaller, of other colors.
    @Test func framesAreTurnedAndScaledAtOnce() throws {
        let source = TestFrame.pattern(
            ImageFormat(.yuy2, size: VideoSize(160, 90), color: ColorEncoding(.bt601, .full)), seed: 9)
        let size = VideoSize(45, 80)
        var (turned, upright) = (
            TestFrame(ImageFormat(.nv12, size: size)), TestFrame(ImageFormat(.i420, size: VideoSize(80, 45)))
        )
        try source.read { view in
            try turned.write { try FrameConverter().convert(view, rotation: .quarter, to: $0) }
            try upright.write { try FrameConverter().convert(view, to: $0) }
        }
        for y in 0..<80 { for x in 0..<45 { #expect(turned[0, x, y] == upright[0, y, 44 - x]) } }
    }

    @Test func framesThatAreOnlyReadAreNotWritten() throws {
        var target = TestFrame(ImageFormat(.uyvy, size: VideoSize(64, 36)))
        let source = TestFrame(ImageFormat(.i420, size: VideoSize(64, 36)))
        #expect(throws: ImagingError.unwritableFormat(.uyvy)) {
            try source.read { view in try target.write { try FrameConverter().convert(view, to: $0) } }
        }
        var half = TestFrame(ImageFormat(.i210, size: VideoSize(36, 64)))
        #expect(throws: ImagingError.unwritableFormat(.i210)) {
            try source.read { view in
                try half.write { try FrameConverter().convert(view, rotation: .quarter, to: $0) }
            }
        }
    }
}
