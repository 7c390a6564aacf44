import Imaging
import MediaTypes
import Testing

@testable import Photos

/// JPEGs of odd sizes, whose chroma ends half a pixel further on.
@Suite struct JPEGSizeTests {
    /// Blue, of which no sample is near to one of another plane.
    private static let samples: [UInt8] = [29, 255, 107]

    private func blue(_ size: VideoSize) throws -> [UInt8] {
        let frame = FrameBuffer(ImageFormat(.i420, size: size, color: ColorEncoding(.bt601, .full)))
        frame.withMutableView { view in
            for index in 0..<3 {
                for row in 0..<view.format.pixelFormat.rows(ofPlane: index, height: view.format.size.height) {
                    (view.planes[index].base + row * view.planes[index].bytesPerRow).initializeMemory(
                        as: UInt8.self, repeating: Self.samples[index],
                        count: view.format.pixelFormat.bytesPerRow(ofPlane: index, width: view.format.size.width))
                }
            }
        }
        return try frame.withView { try JPEGEncoder.encode($0, quality: 90) }
    }

    /// The last is decoded to 25 rows: an eighth.
    @Test(
        arguments: [
            (VideoSize(51, 37), VideoSize(51, 37)), (VideoSize(50, 37), VideoSize(50, 37)),
            (VideoSize(51, 38), VideoSize(51, 38)), (VideoSize(400, 200), VideoSize(50, 25)),
        ])
    func `each pixel is as it was, at the edges too`(size: VideoSize, least: VideoSize) throws {
        let decoder = try #require(JPEGDecoder())
        try decoder.withFrame(try blue(size), atLeast: least) { view in
            #expect(view.format.size == least)
            for (index, plane) in view.planes.enumerated() {
                let width = view.format.pixelFormat.bytesPerRow(ofPlane: index, width: view.format.size.width)
                for row in 0..<view.format.pixelFormat.rows(ofPlane: index, height: view.format.size.height) {
                    let line = UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: width)
                    let error = line.map { abs(Int($0) - Int(Self.samples[index])) }.max() ?? 0
                    #expect(error <= 2, "plane \(index), row \(row)")
                }
            }
        }
    }
}
