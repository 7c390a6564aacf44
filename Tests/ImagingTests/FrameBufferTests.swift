import Imaging
import MediaTypes
import Testing

@Suite struct FrameBufferTests {
    /// Buffers of cameras and encoders have padding at the end of each row, which belongs to nobody.
    @Test(arguments: PixelFormat.allCases, [PixelFormat.i420, .nv12, .i010, .p010])
    func paddedRowsAreDrawnAsPackedOnes(from: PixelFormat, to: PixelFormat) throws {
        let inset = TestFrame.pattern(ImageFormat(from, size: VideoSize(90, 51)), seed: 7)
        var packed = TestFrame.pattern(ImageFormat(to, size: VideoSize(101, 67)), seed: 1)
        let (insetBuffer, buffer) = (FrameBuffer(inset.format), FrameBuffer(packed.format))
        copy(inset, to: insetBuffer)
        copy(packed, to: buffer)
        var placement = FeedPlacement(
            feed: 1, rectangle: PixelRectangle(x: 13, y: 11, width: 44, height: 25),
            crop: CropRectangle(x: 0, y: 0, width: 90, height: 51))
        (placement.cornerRadius, placement.shadowRadius) = (5, 9)
        try inset.read { view in try packed.write { try FrameComposer().draw(view, at: placement, into: $0) } }
        try insetBuffer.withView { view in
            try buffer.withMutableView { try FrameComposer().draw(view, at: placement, into: $0) }
        }
        var result = TestFrame(packed.format)
        buffer.withView { view in
            each(packed.format) { index, row, offset, count in
                for x in 0..<count {
                    result.bytes[offset + x] = view.planes[index].base.load(
                        fromByteOffset: row * view.planes[index].bytesPerRow + x, as: UInt8.self)
                }
            }
        }
        #expect(result.bytes == packed.bytes)
        buffer.withMutableView { view in
            each(packed.format) { index, row, _, count in
                for x in count..<view.planes[index].bytesPerRow {
                    #expect(
                        view.planes[index].base.load(
                            fromByteOffset: row * view.planes[index].bytesPerRow + x, as: UInt8.self) == 0xa5)
                }
            }
        }
    }

    /// With padding that tells whether it was written.
    private func copy(_ frame: TestFrame, to buffer: FrameBuffer) {
        buffer.withMutableView { view in
            each(frame.format) { index, row, offset, count in
                let plane = view.planes[index]
                for x in 0..<plane.bytesPerRow {
                    plane.base.storeBytes(
                        of: x < count ? frame.bytes[offset + x] : 0xa5, toByteOffset: row * plane.bytesPerRow + x,
                        as: UInt8.self)
                }
            }
        }
    }

    /// Each row of each plane: its number, where it begins in a packed frame, and its bytes.
    private func each(_ format: ImageFormat, _ body: (_ plane: Int, _ row: Int, _ offset: Int, _ count: Int) -> Void) {
        var offset = 0
        for plane in 0..<format.pixelFormat.planeCount {
            let count = format.pixelFormat.bytesPerRow(ofPlane: plane, width: format.size.width)
            for row in 0..<format.pixelFormat.rows(ofPlane: plane, height: format.size.height) {
                body(plane, row, offset, count)
                offset += count
            }
        }
    }

    @Test func rowsBeginAtMultiplesOf64Bytes() {
        FrameBuffer(ImageFormat(.i420, size: VideoSize(101, 3))).withView { view in
            for plane in view.planes { #expect(plane.bytesPerRow % 64 == 0 && Int(bitPattern: plane.base) % 64 == 0) }
        }
    }

    @Test func aPackedFrameIsAsLargeAsItsPlanes() {
        #expect(ImageFormat(.i420, size: VideoSize(1920, 1080)).byteCount == 3_110_400)
        #expect(ImageFormat(.p010, size: VideoSize(3, 3)).byteCount == 2 * (9 + 8))
        #expect(ImageFormat(.yuy2, size: VideoSize(3, 2)).byteCount == 16)
        #expect(ImageFormat(.i422, size: VideoSize(3, 2)).byteCount == 14)
    }
}
