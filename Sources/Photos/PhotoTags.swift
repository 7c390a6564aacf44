import CEXIF

/// What a camera writes beside a photo, as libexif reads it.
struct PhotoTags: Sendable, Hashable {
    var date: PhotoDate?
    var orientation = PhotoOrientation()

    /// - Parameter bytes: the beginning of a JPEG file. Nothing is found in what is no JPEG, or damaged.
    init(_ bytes: UnsafeRawBufferPointer) {
        guard
            let data = exif_data_new_from_data(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: bytes.count))
        else { return }
        defer { exif_data_unref(data) }
        let directories = data.pointee.ifd
        let order = exif_data_get_byte_order(data)
        if let entry = exif_content_get_entry(directories.0, EXIF_TAG_ORIENTATION)?.pointee, entry.size >= 2 {
            orientation = PhotoOrientation(exif: Int(exif_get_short(entry.data, order)))
        }
        // When it was taken, else when it was stored, which for a scan is not the same.
        let taken = Self.text(directories.2, EXIF_TAG_DATE_TIME_ORIGINAL)
        let fraction = Self.text(directories.2, EXIF_TAG_SUB_SEC_TIME_ORIGINAL)
        let zone = Self.text(directories.2, EXIF_TAG_OFFSET_TIME_ORIGINAL)
        date = taken.flatMap { PhotoDate($0, fraction: fraction, zone: zone) }
    }

    private static func text(_ content: UnsafeMutablePointer<ExifContent>?, _ tag: ExifTag) -> String? {
        guard let entry = exif_content_get_entry(content, tag)?.pointee, let data = entry.data else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: Int(entry.size)).prefix { $0 != 0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
