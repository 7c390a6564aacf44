import CHEIF
import CYUV
package import Imaging
package import MediaTypes
package import SystemPackage

/// A HEIC or AVIF file, as libheif reads it: turned as it is to be shown.
package final class HEIFPhoto {
    private let library: HEIFLibrary
    private let context: OpaquePointer
    private let image: OpaquePointer

    /// Whether a file begins as one of these does (ISO/IEC 23008-12, 10.2).
    static func begins(_ head: [UInt8]) -> Bool {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return brands.contains(String(decoding: head[8..<12], as: UTF8.self))
    }
    private static let brands: Set<String> = ["heic", "heix", "heim", "heis", "mif1", "avif"]

    /// Reads what the file tells. Blocks.
    ///
    /// - Throws: ``PhotoFailure``.
    package init(_ path: FilePath) throws(PhotoFailure) {
        let library = try HEIFLibrary.find()
        guard let context = library.allocate() else { throw .damaged("no memory") }
        do {
            try Self.check(path.withPlatformString { library.read(context, $0, nil) })
            var image: OpaquePointer?
            try Self.check(library.primaryImage(context, &image))
            guard let image else { throw PhotoFailure.damaged("it has no image") }
            (self.library, self.context, self.image) = (library, context, image)
        } catch {
            library.free(context)
            throw error as? PhotoFailure ?? .damaged("\(error)")
        }
    }

    deinit {
        library.releaseHandle(image)
        library.free(context)
    }

    /// As it is shown.
    package var size: VideoSize { VideoSize(Int(library.width(image)), Int(library.height(image))) }

    /// The EXIF block, from its byte order on; nil where there is none.
    var tags: [UInt8]? {
        var block = heif_item_id()
        guard library.metadataBlocks(image, "Exif", &block, 1) == 1 else { return nil }
        let count = library.metadataSize(image, block)
        guard count > 8, count < Self.largestTags else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard library.metadata(image, block, &bytes).code == heif_error_Ok else { return nil }
        // The first four tell how far behind them the byte order is.
        let offset = bytes[..<4].reduce(0) { $0 << 8 | Int($1) } + 4
        return offset < count ? Array(bytes[offset...]) : nil
    }

    private static let largestTags = 16 << 20

    /// The ICC profile; nil where there is none.
    var profile: [UInt8]? {
        let count = library.profileSize(image)
        guard count > 0, count < Self.largestTags else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return library.profile(image, &bytes).code == heif_error_Ok ? bytes : nil
    }

    /// Decodes it, in the colors of JPEGs. Blocks.
    ///
    /// - Throws: ``PhotoFailure``.
    package func frame() throws -> FrameBuffer {
        var decoded: OpaquePointer?
        try Self.check(library.decode(image, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, nil))
        defer { library.releaseImage(decoded) }
        var stride: Int32 = 0
        guard let pixels = library.plane(decoded, heif_channel_interleaved, &stride) else {
            throw PhotoFailure.damaged("it has no pixels")
        }
        let width = library.planeWidth(decoded, heif_channel_interleaved)
        let height = library.planeHeight(decoded, heif_channel_interleaved)
        return try FrameBuffer(rgb: pixels, bytesPerRow: Int(stride), size: VideoSize(Int(width), Int(height)))
    }

    private static func check(_ error: heif_error) throws(PhotoFailure) {
        guard error.code != heif_error_Ok else { return }
        throw .damaged(error.message.map { String(cString: $0) } ?? "unknown")
    }
}

extension FrameBuffer {
    /// Of red, green and blue, a byte each in this order: planes in the colors of JPEGs.
    ///
    /// - Throws: ``PhotoFailure`` for a size that is none.
    convenience init(rgb: UnsafePointer<UInt8>, bytesPerRow: Int, size: VideoSize) throws(PhotoFailure) {
        guard size.width > 0, size.height > 0, bytesPerRow >= 3 * size.width else { throw .damaged("it has no size") }
        self.init(ImageFormat(.i420, size: size, color: ColorEncoding(.bt601, .full)))
        withMutableView { view in
            let planes = view.planes.map {
                ($0.base.assumingMemoryBound(to: UInt8.self), Int32($0.bytesPerRow))
            }
            // "RAW" is what libyuv calls bytes in this order, "J" what JPEGs have.
            RAWToJ420(
                rgb, Int32(bytesPerRow), planes[0].0, planes[0].1, planes[1].0, planes[1].1, planes[2].0, planes[2].1,
                Int32(size.width), Int32(size.height))
        }
    }
}
