package import GStreamer
package import Imaging
import MediaTypes

/// One camera's or movie's frame, and what it is: its size may change while older frames still wait.
package struct ComposableFrame: Sendable {
    package let buffer: Buffer
    package let format: ComposedFormat

    package init(_ buffer: Buffer, _ format: ComposedFormat) { (self.buffer, self.format) = (buffer, format) }
}

/// What raw frames are, for GStreamer and for ``Imaging``.
package struct ComposedFormat: Sendable {
    package let caps: Caps
    package let layout: VideoFrameLayout
    package let image: ImageFormat
    /// How much wider than high a pixel is shown: 1 but for DV, HDV and the like.
    let pixelShape: Double

    /// By GStreamer's names.
    private static let formats: [String: PixelFormat] = [
        "I420": .i420, "NV12": .nv12, "Y42B": .i422, "YUY2": .yuy2, "UYVY": .uyvy, "I420_10LE": .i010,
        "I422_10LE": .i210, "P010_10LE": .p010,
    ]

    /// The raw formats that can be composed, the ones first that others are converted to.
    package static let names = ["I420", "NV12", "Y42B", "YUY2", "UYVY", "I420_10LE", "I422_10LE", "P010_10LE"]

    /// `nil` for frames that cannot be composed.
    package init?(_ caps: Caps) {
        guard let layout = VideoFrameLayout(caps), let colour = Colorimetry(caps),
            let format = Self.formats[layout.format]
        else { return nil }
        (self.caps, self.layout) = (caps, layout)
        let shape = caps.first?["pixel-aspect-ratio"]?.fractionValue?.doubleValue ?? 1
        pixelShape = shape > 0 && shape.isFinite ? shape : 1
        image = ImageFormat(format, size: layout.size, color: ColorEncoding(colour))
    }

    /// How large a frame is in pixels of another shape: what is 16:9 stays that.
    func shownSize(inPixelsOf output: ComposedFormat) -> VideoSize {
        guard pixelShape != output.pixelShape else { return image.size }
        let width = (Double(image.size.width) * pixelShape / output.pixelShape).rounded()
        return VideoSize(Int(min(max(width, 1), 65_535)), image.size.height)
    }

    /// The same that can be drawn into.
    ///
    /// - Parameter keepsChroma: whether 4:2:2 stays that; else it becomes 4:2:0, as most encoders want it.
    func writable(keepsChroma: Bool) -> ComposedFormat? {
        let name =
            switch image.pixelFormat {
            case .i420, .nv12, .i010, .p010: layout.format
            case .i422, .yuy2, .uyvy: keepsChroma ? "Y42B" : "I420"
            case .i210: keepsChroma ? "I422_10LE" : "I420_10LE"
            }
        guard name != layout.format, let first = caps.first else { return self }
        return ComposedFormat(Caps(first.name, first.fields.merging(["format": .string(name)]) { $1 }))
    }
}

extension ColorEncoding {
    /// What caps say of luma and chroma; BT.709 where they name another matrix than those known here.
    package init(_ colorimetry: Colorimetry) {
        let matrix: Matrix =
            switch colorimetry.matrix {
            case 5, 6: .bt601
            case 9, 10: .bt2020
            default: .bt709
            }
        self.init(matrix, colorimetry.isFullRange ? .full : .limited)
    }
}

extension Buffer {
    package func withView<Result>(_ format: ComposedFormat, _ body: (FrameView) throws -> Result) throws -> Result {
        try withPlanes(format.layout) { planes in
            try body(
                FrameView(
                    format.image, planes: planes.map { .init(UnsafeRawPointer($0.base), bytesPerRow: $0.bytesPerRow) }))
        }
    }

    package mutating func withMutableView<Result>(
        _ format: ComposedFormat, _ body: (MutableFrameView) throws -> Result
    ) throws -> Result {
        try withMutablePlanes(format.layout) { planes in
            try body(MutableFrameView(format.image, planes: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) }))
        }
    }
}
