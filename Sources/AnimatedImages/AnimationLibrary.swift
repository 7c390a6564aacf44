import CLibAV
package import Errors
import SharedLibraries

/// What makes GIFs: libavfilter's filters of palettes, libavcodec's encoder and libavformat's muxer, where the versions are installed that
/// Rushes was built for.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
package final class AnimationLibrary: @unchecked Sendable {
    private static let shared = try? AnimationLibrary()

    let allocate: rushes_av_malloc
    let free: rushes_av_freep
    let makeFrame: rushes_av_frame_alloc
    let freeFrame: rushes_av_frame_free
    let fillFrame: rushes_av_frame_get_buffer
    let emptyFrame: rushes_av_frame_unref
    let makePacket: rushes_av_packet_alloc
    let freePacket: rushes_av_packet_free
    let emptyPacket: rushes_av_packet_unref
    let setOption: rushes_av_opt_set_int
    let filter: rushes_avfilter_get_by_name
    let makeGraph: rushes_avfilter_graph_alloc
    let freeGraph: rushes_avfilter_graph_free
    let makeFilter: rushes_avfilter_graph_create_filter
    let configure: rushes_avfilter_graph_config
    let link: rushes_avfilter_link
    let addFrame: rushes_av_buffersrc_add_frame
    let takeFrame: rushes_av_buffersink_get_frame
    let encoder: rushes_avcodec_find_encoder
    let makeContext: rushes_avcodec_alloc_context3
    let freeContext: rushes_avcodec_free_context
    let openEncoder: rushes_avcodec_open2
    let sendFrame: rushes_avcodec_send_frame
    let receivePacket: rushes_avcodec_receive_packet
    let parameters: rushes_avcodec_parameters_from_context
    let makeFormat: rushes_avformat_alloc_output_context2
    let freeFormat: rushes_avformat_free_context
    let makeStream: rushes_avformat_new_stream
    let writeHeader: rushes_avformat_write_header
    let writePacket: rushes_av_write_frame
    let writeTrailer: rushes_av_write_trailer
    let makeBytes: rushes_avio_alloc_context
    let freeBytes: rushes_avio_context_free

    private init() throws(SharedLibrary.Missing) {
        // The functions of libavcodec, libavformat and libavutil are those of the ones that it is linked with.
        let library = try SharedLibrary("libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)")
        allocate = try library.function("av_malloc")
        free = try library.function("av_freep")
        makeFrame = try library.function("av_frame_alloc")
        freeFrame = try library.function("av_frame_free")
        fillFrame = try library.function("av_frame_get_buffer")
        emptyFrame = try library.function("av_frame_unref")
        makePacket = try library.function("av_packet_alloc")
        freePacket = try library.function("av_packet_free")
        emptyPacket = try library.function("av_packet_unref")
        setOption = try library.function("av_opt_set_int")
        filter = try library.function("avfilter_get_by_name")
        makeGraph = try library.function("avfilter_graph_alloc")
        freeGraph = try library.function("avfilter_graph_free")
        makeFilter = try library.function("avfilter_graph_create_filter")
        configure = try library.function("avfilter_graph_config")
        link = try library.function("avfilter_link")
        addFrame = try library.function("av_buffersrc_add_frame")
        takeFrame = try library.function("av_buffersink_get_frame")
        encoder = try library.function("avcodec_find_encoder")
        makeContext = try library.function("avcodec_alloc_context3")
        freeContext = try library.function("avcodec_free_context")
        openEncoder = try library.function("avcodec_open2")
        sendFrame = try library.function("avcodec_send_frame")
        receivePacket = try library.function("avcodec_receive_packet")
        parameters = try library.function("avcodec_parameters_from_context")
        makeFormat = try library.function("avformat_alloc_output_context2")
        freeFormat = try library.function("avformat_free_context")
        makeStream = try library.function("avformat_new_stream")
        writeHeader = try library.function("avformat_write_header")
        writePacket = try library.function("av_write_frame")
        writeTrailer = try library.function("av_write_trailer")
        makeBytes = try library.function("avio_alloc_context")
        freeBytes = try library.function("avio_context_free")
        // What it says goes to nobody's terminal.
        let setLogLevel: rushes_av_log_set_level = try library.function("av_log_set_level")
        setLogLevel(AV_LOG_QUIET)
    }

    /// Loads it. Blocks.
    ///
    /// - Throws: ``RushesError`` that names the package where it is missing.
    package static func find() throws(RushesError) -> AnimationLibrary {
        guard let shared else {
            throw RushesError(
                .missingPlugin, "GIFs cannot be written: libavfilter is not installed; install the package \(package).")
        }
        return shared
    }

    /// Whether it is installed. Blocks.
    package static var isAvailable: Bool { shared != nil }

    /// The Debian package that is to be installed where it is not.
    package static var package: String { "libavfilter\(LIBAVFILTER_VERSION_MAJOR)" }

    /// - Throws: ``RushesError`` where it is the code of an error.
    func check(_ answer: Int32, _ what: String) throws(RushesError) {
        guard answer < 0 else { return }
        throw RushesError(.encoderFailed, "The GIF cannot be made: \(what) fails with \(answer).")
    }

    /// - Throws: ``RushesError`` where there is none, for want of memory or a part of the library.
    func made<Thing>(_ thing: Thing?, _ what: String) throws(RushesError) -> Thing {
        guard let thing else {
            throw RushesError(.encoderFailed, "The GIF cannot be made: there is no \(what) here.")
        }
        return thing
    }
}
