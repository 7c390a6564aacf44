import Composition
import Encoding
import Errors
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import Photos
import SystemPackage
import Workarounds

/// A frame as the bytes of an image file.
struct FrameImage {
    enum Format: Sendable {
        case jpeg, png, webp

        /// - Throws: ``RushesError`` for a name that ends in none of them.
        init(_ path: FilePath) throws(RushesError) {
            switch path.extension?.lowercased() {
            case "jpg", "jpeg": self = .jpeg
            case "png": self = .png
            case "webp": self = .webp
            default:
                throw RushesError(
                    .invalidSettings, on: path.string,
                    "\(path.displayName) cannot be an image; let its name end in .jpg, .jpeg, .png or .webp.")
            }
        }
    }

    let size: VideoSize
    /// Sentences for people.
    private(set) var notes: [String] = []
    private let buffer: Buffer
    private let caps: Caps
    private let marks: PhotoMarks?

    /// As libjpeg counts it.
    private static let quality = 92

    /// - Parameters:
    ///   - light: what the file tells of HDR, where its frames do not.
    ///   - marks: what is told beside the pixels.
    ///   - limits: how large it is to be; nil: as it is.
    init(_ frame: Sample, _ light: LightMetadata, _ marks: PhotoMarks?, within limits: ImageLimits? = nil) throws {
        let stored = frame.caps.flatMap { VideoFrameLayout($0)?.size }
        let wanted = stored.flatMap { limits?.size(of: $0) } ?? stored
        let sample = try wanted.flatMap { try $0 == stored ? nil : frame.scaled(to: $0) } ?? frame
        guard let buffer = sample.buffer, let caps = sample.caps, let layout = VideoFrameLayout(caps) else {
            throw RushesError(.badInput, "The decoder does not say what its frames are.")
        }
        (size, self.marks) = (layout.size, marks)
        guard let name = Colorimetry(caps)?.hdrName else {
            (self.buffer, self.caps) = (buffer, caps)
            return
        }
        let own = LightMetadata(caps)
        let all = LightMetadata(display: own.display ?? light.display, content: own.content ?? light.content)
        // Those that it does not take are converted to one that it takes, with as many bits as HDR needs.
        let isTaken = FrameGrader.formats.contains(layout.format)
        let graded = isTaken ? sample : try sample.converted(to: "Y444_10LE")
        var grader = FrameGrader(toneMappingFrom: all.brightest)
        (self.buffer, self.caps) = try grader.apply(to: graded.buffer ?? buffer, graded.caps ?? caps)
        notes.append("HDR (\(name)) is tone-mapped to SDR.")
    }

    func bytes(as format: Format) throws -> [UInt8] {
        let exif = marks.flatMap { $0.exif() }
        switch format {
        case .jpeg:
            let image = try jpeg()
            return exif.flatMap { JPEGSegments(image)?.tagged($0) } ?? image
        case .png:
            let image = try Sample(buffer, caps).png().withBytes { Array($0) }
            return exif.flatMap { PNGChunks.tagged(image, $0) } ?? image
        case .webp:
            guard ElementFactory.exists("webpenc") else {
                throw RushesError(
                    .encoderMissing,
                    "WebP needs the element webpenc (gstreamer1.0-plugins-bad); install it, or name the image .jpg or .png."
                )
            }
            let image = try Sample(buffer, caps).webp().withBytes { Array($0) }
            return exif.flatMap { WebPChunks.tagged(image, $0, size) } ?? image
        }
    }

    private func jpeg() throws -> [UInt8] {
        try withView { try JPEGEncoder.encode($0, quality: Self.quality) }
    }

    /// Scaled into all of a part of another frame.
    func draw(into target: MutableFrameView) throws { try withView { try FrameConverter().convert($0, to: target) } }

    private func withView<Result>(_ body: (FrameView) throws -> Result) throws -> Result {
        if let format = ComposedFormat(caps) { return try buffer.withView(format, body) }
        // What cannot be read as it is, such as red, green and blue.
        let sample = try Sample(buffer, caps).converted(to: "I420")
        guard let buffer = sample.buffer, let format = sample.caps.flatMap({ ComposedFormat($0) }) else {
            throw RushesError(.encoderFailed, "The frame cannot be read; name the image .png.")
        }
        return try buffer.withView(format, body)
    }
}
