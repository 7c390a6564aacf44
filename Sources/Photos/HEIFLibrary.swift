import CHEIF
import SharedLibraries

/// libheif's functions, where it is installed.
struct HEIFLibrary: Sendable {
    private static let shared = try? HEIFLibrary()

    let allocate: @convention(c) @Sendable () -> OpaquePointer?
    let free: @convention(c) @Sendable (OpaquePointer?) -> Void
    let read: @convention(c) @Sendable (OpaquePointer?, UnsafePointer<CChar>?, OpaquePointer?) -> heif_error
    let primaryImage: @convention(c) @Sendable (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> heif_error
    let releaseHandle: @convention(c) @Sendable (OpaquePointer?) -> Void
    let width: @convention(c) @Sendable (OpaquePointer?) -> Int32
    let height: @convention(c) @Sendable (OpaquePointer?) -> Int32
    let metadataBlocks:
        @convention(c) @Sendable (
            OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<heif_item_id>?, Int32
        ) -> Int32
    let metadataSize: @convention(c) @Sendable (OpaquePointer?, heif_item_id) -> Int
    let metadata: @convention(c) @Sendable (OpaquePointer?, heif_item_id, UnsafeMutableRawPointer?) -> heif_error
    let profileSize: @convention(c) @Sendable (OpaquePointer?) -> Int
    let profile: @convention(c) @Sendable (OpaquePointer?, UnsafeMutableRawPointer?) -> heif_error
    let decode:
        @convention(c) @Sendable (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, heif_colorspace, heif_chroma, OpaquePointer?
        ) -> heif_error
    let plane:
        @convention(c) @Sendable (OpaquePointer?, heif_channel, UnsafeMutablePointer<Int32>?) -> UnsafePointer<UInt8>?
    let planeWidth: @convention(c) @Sendable (OpaquePointer?, heif_channel) -> Int32
    let planeHeight: @convention(c) @Sendable (OpaquePointer?, heif_channel) -> Int32
    let releaseImage: @convention(c) @Sendable (OpaquePointer?) -> Void

    private init() throws(SharedLibrary.Missing) {
        let library = try SharedLibrary("libheif.so.1")
        allocate = try library.function("heif_context_alloc")
        free = try library.function("heif_context_free")
        read = try library.function("heif_context_read_from_file")
        primaryImage = try library.function("heif_context_get_primary_image_handle")
        releaseHandle = try library.function("heif_image_handle_release")
        width = try library.function("heif_image_handle_get_width")
        height = try library.function("heif_image_handle_get_height")
        metadataBlocks = try library.function("heif_image_handle_get_list_of_metadata_block_IDs")
        metadataSize = try library.function("heif_image_handle_get_metadata_size")
        metadata = try library.function("heif_image_handle_get_metadata")
        profileSize = try library.function("heif_image_handle_get_raw_color_profile_size")
        profile = try library.function("heif_image_handle_get_raw_color_profile")
        decode = try library.function("heif_decode_image")
        plane = try library.function("heif_image_get_plane_readonly")
        planeWidth = try library.function("heif_image_get_width")
        planeHeight = try library.function("heif_image_get_height")
        releaseImage = try library.function("heif_image_release")
    }

    /// - Throws: ``PhotoFailure/noDecoder(kind:package:)`` where there is no libheif.
    static func find() throws(PhotoFailure) -> HEIFLibrary {
        guard let shared else { throw .noDecoder(kind: "HEIC", package: "libheif (Debian's libheif1)") }
        return shared
    }
}
