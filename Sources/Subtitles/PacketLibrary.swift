import CLibAV
import Errors
import SharedLibraries

/// libavcodec's functions, where the version is installed that Rushes was built for.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
final class PacketLibrary: @unchecked Sendable {
    private static let shared = try? PacketLibrary()

    let setLogLevel: rushes_av_log_set_level
    let allocate: rushes_av_mallocz
    let makePacket: rushes_av_packet_alloc
    let freePacket: rushes_av_packet_free
    let emptyPacket: rushes_av_packet_unref
    let fillPacket: rushes_av_new_packet
    let decoder: rushes_avcodec_find_decoder
    let makeContext: rushes_avcodec_alloc_context3
    let freeContext: rushes_avcodec_free_context
    let open: rushes_avcodec_open2
    let decode: rushes_avcodec_decode_subtitle2
    let freeSubtitle: rushes_avsubtitle_free

    private init() throws(SharedLibrary.Missing) {
        // The functions of libavutil are those of the one that it is linked with.
        let library = try SharedLibrary("libavcodec.so.\(LIBAVCODEC_VERSION_MAJOR)")
        setLogLevel = try library.function("av_log_set_level")
        allocate = try library.function("av_mallocz")
        makePacket = try library.function("av_packet_alloc")
        freePacket = try library.function("av_packet_free")
        emptyPacket = try library.function("av_packet_unref")
        fillPacket = try library.function("av_new_packet")
        decoder = try library.function("avcodec_find_decoder")
        makeContext = try library.function("avcodec_alloc_context3")
        freeContext = try library.function("avcodec_free_context")
        open = try library.function("avcodec_open2")
        decode = try library.function("avcodec_decode_subtitle2")
        freeSubtitle = try library.function("avsubtitle_free")
    }

    /// - Throws: ``RushesError`` where there is no such libavcodec.
    static func find() throws(RushesError) -> PacketLibrary {
        guard let shared else {
            throw SubtitleLibraries.missing("libavcodec", "libavcodec\(LIBAVCODEC_VERSION_MAJOR)")
        }
        return shared
    }
}
