import CRaw
import SharedLibraries

/// LibRaw's functions, where the version is installed that Rushes was built for.
struct RawLibrary: Sendable {
    typealias Raw = UnsafeMutablePointer<libraw_data_t>
    typealias Processed = UnsafeMutablePointer<libraw_processed_image_t>

    private static let shared = try? RawLibrary()

    let create: @convention(c) @Sendable (UInt32) -> Raw?
    let close: @convention(c) @Sendable (Raw?) -> Void
    let open: @convention(c) @Sendable (Raw?, UnsafePointer<CChar>?) -> Int32
    let unpackPreview: @convention(c) @Sendable (Raw?) -> Int32
    let preview: @convention(c) @Sendable (Raw?, UnsafeMutablePointer<Int32>?) -> Processed?
    let unpack: @convention(c) @Sendable (Raw?) -> Int32
    let process: @convention(c) @Sendable (Raw?) -> Int32
    let image: @convention(c) @Sendable (Raw?, UnsafeMutablePointer<Int32>?) -> Processed?
    let free: @convention(c) @Sendable (Processed?) -> Void
    let words: @convention(c) @Sendable (Int32) -> UnsafePointer<CChar>?

    private init() throws(SharedLibrary.Missing) {
        // The one for several threads.
        let library = try SharedLibrary("libraw_r.so.\(RUSHES_RAW_VERSION)")
        create = try library.function("libraw_init")
        close = try library.function("libraw_close")
        open = try library.function("libraw_open_file")
        unpackPreview = try library.function("libraw_unpack_thumb")
        preview = try library.function("libraw_dcraw_make_mem_thumb")
        unpack = try library.function("libraw_unpack")
        process = try library.function("libraw_dcraw_process")
        image = try library.function("libraw_dcraw_make_mem_image")
        free = try library.function("libraw_dcraw_clear_mem")
        words = try library.function("libraw_strerror")
    }

    /// - Throws: ``PhotoFailure/noDecoder(kind:package:)`` where there is no such LibRaw.
    static func find() throws(PhotoFailure) -> RawLibrary {
        guard let shared else {
            throw .noDecoder(kind: "raw photos", package: "LibRaw (Debian's libraw\(RUSHES_RAW_VERSION))")
        }
        return shared
    }
}
