import CRaw
import Dispatch
import Foundation
package import Imaging
package import MediaTypes
package import SystemPackage

/// A camera's raw file or a DNG, as LibRaw reads it, not turned.
///
/// Shown is the camera's own JPEG in it where that is at least half as wide as the sensor, else every four pixels of the sensor as
/// one: timelapses are seldom larger, and interpolating all of them takes seconds a photo.
package final class RawPhoto {
    /// What there is of a photo to be shown.
    package enum Content {
        case jpeg([UInt8])
        case frame(FrameBuffer)
    }

    private let library: RawLibrary
    private let raw: RawLibrary.Raw
    private let path: FilePath
    /// In bytes.
    private let fileSize: Int64

    /// Whether a name's ending says that it is one: what is in them begins as TIFF or as anything.
    package static func hasEnding(_ path: FilePath) -> Bool {
        path.extension.map { endings.contains($0.lowercased()) } ?? false
    }
    /// Those of DNG and of the makers of cameras, in small letters.
    package static let endings: Set<String> = [
        "dng", "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef", "nrw",
        "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]

    /// Reads what the file tells. Blocks.
    ///
    /// - Throws: ``PhotoFailure``.
    package init(_ path: FilePath) throws(PhotoFailure) {
        let library = try RawLibrary.find()
        // Damage is told by what the functions return, and not on standard error.
        guard let raw = library.create(UInt32(LIBRAW_OPIONS_NO_DATAERR_CALLBACK.rawValue)) else {
            throw .damaged("no memory")
        }
        (self.library, self.raw, self.path, fileSize) = (library, raw, path, Self.size(of: path))
        try check(path.withPlatformString { library.open(raw, $0) })
    }

    deinit { library.close(raw) }

    /// As it is stored.
    package var size: VideoSize { isShownByPreview ? previewSize : halfSize }
    package var orientation: PhotoOrientation {
        let flip = Int(rushes_raw_flip(raw))
        return PhotoOrientation(
            exif: [1, 2, 4, 3, 5, 8, 6, 7].indices.contains(flip) ? [1, 2, 4, 3, 5, 8, 6, 7][flip] : 1)
    }
    /// By the camera's clock; nil where it does not say.
    var date: PhotoDate? {
        var (time, parts) = (rushes_raw_time(raw), tm())
        guard time > 0, localtime_r(&time, &parts) != nil else { return nil }
        return PhotoDate(
            "\(parts.tm_year + 1900):\(parts.tm_mon + 1):\(parts.tm_mday) \(parts.tm_hour):\(parts.tm_min):\(parts.tm_sec)"
        )
    }

    private static let atOnce = DispatchSemaphore(value: 2)

    private var halfSize: VideoSize {
        VideoSize((Int(rushes_raw_width(raw)) + 1) / 2, (Int(rushes_raw_height(raw)) + 1) / 2)
    }
    private var previewSize: VideoSize {
        VideoSize(Int(rushes_raw_preview_width(raw)), Int(rushes_raw_preview_height(raw)))
    }
    private var isShownByPreview: Bool {
        rushes_raw_preview_is_jpeg(raw) != 0 && previewSize.width >= halfSize.width
            && previewSize.height >= halfSize.height * 9 / 10
    }

    /// Blocks.
    ///
    /// - Throws: ``PhotoFailure``.
    package func content() throws(PhotoFailure) -> Content {
        if isShownByPreview, Int64(rushes_raw_preview_size(raw)) < fileSize, library.unpackPreview(raw) == 0,
            let jpeg = try? processed(library.preview),
            jpeg.pointee.type == LIBRAW_IMAGE_JPEG
        {
            defer { library.free(jpeg) }
            let bytes = UnsafeRawBufferPointer(start: rushes_raw_bytes(jpeg), count: Int(jpeg.pointee.data_size))
            // LibRaw may put a head of its own in place of the first two bytes.
            let tail = bytes.suffix(min(Self.tailSize, max(0, Int(rushes_raw_preview_size(raw)) - 2)))
            if Self.endsAsJPEG(bytes), Self.holds(tail, path) { return .jpeg(Array(bytes)) }
        }
        // A sensor's values take some hundred megabytes on their way, however many processors there are.
        Self.atOnce.wait()
        defer { Self.atOnce.signal() }
        rushes_raw_prepare(raw)
        try check(library.unpack(raw))
        try check(library.process(raw))
        let image = try processed(library.image)
        defer { library.free(image) }
        let size = VideoSize(Int(image.pointee.width), Int(image.pointee.height))
        guard image.pointee.colors == 3, image.pointee.bits == 8,
            Int(image.pointee.data_size) >= 3 * size.width * size.height
        else { throw .damaged("its colors are of an unknown kind") }
        let pixels = rushes_raw_bytes(image).assumingMemoryBound(to: UInt8.self)
        return .frame(try FrameBuffer(rgb: pixels, bytesPerRow: 3 * size.width, size: size))
    }

    private static func size(of path: FilePath) -> Int64 {
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return 0 }
        defer { try? file.close() }
        return (try? file.seek(offset: 0, from: .end)) ?? 0
    }

    /// Of a file that is cut off LibRaw (0.20) hands out as many bytes as there should be, with whatever was in the memory. Then the
    /// sensor's values tell the damage.
    private static func endsAsJPEG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let last = bytes.lastIndex(where: { $0 != 0 }), last > 0 else { return false }
        return bytes[last - 1] == 0xFF && bytes[last] == 0xD9
    }

    /// Whether a file has these bytes somewhere. What was in the memory may be the end of another photo's JPEG: only what the file
    /// itself has is this one's.
    package static func holds(_ tail: Slice<UnsafeRawBufferPointer>, _ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return false }
        defer { try? file.close() }
        let wanted = Data(tail)
        var (piece, place) = (Data(count: pieceSize), Int64(0))
        while true {
            let count = (try? piece.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: place, into: $0) }) ?? 0
            guard count >= wanted.count, !wanted.isEmpty else { return false }
            if piece.range(of: wanted, in: 0..<count) != nil { return true }
            // It may lie across two pieces.
            place += Int64(count - wanted.count + 1)
        }
    }

    /// What is read of the file at once.
    private static let pieceSize = 1 << 20
    /// In bytes: so much of a compressed image is in no other one.
    private static let tailSize = 4096

    private func processed(
        _ make: @convention(c) @Sendable (RawLibrary.Raw?, UnsafeMutablePointer<Int32>?) -> RawLibrary.Processed?
    ) throws(PhotoFailure) -> RawLibrary.Processed {
        var code: Int32 = 0
        guard let image = make(raw, &code) else { throw failure(code) }
        return image
    }

    private func check(_ code: Int32) throws(PhotoFailure) { if code != 0 { throw failure(code) } }

    private func failure(_ code: Int32) -> PhotoFailure {
        .damaged(
            code > 0 ? String(cString: strerror(code)) : library.words(code).map { String(cString: $0) } ?? "unknown")
    }
}
