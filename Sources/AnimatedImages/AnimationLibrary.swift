import CLibAV
package import Errors
import MediaFilters
import SharedLibraries

/// What makes GIFs: libavfilter's filters of palettes, libavcodec's encoder and libavformat's muxer, where the versions are installed that
/// Rushes was built for.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
package final class AnimationLibrary: @unchecked Sendable {
    private static let shared = try? AnimationLibrary()

    private let filters: FilterLibrary
    let allocate: rushes_av_malloc
    let free: rushes_av_freep
    let makePacket: rushes_av_packet_alloc
    let freePacket: rushes_av_packet_free
    let emptyPacket: rushes_av_packet_unref
    let setOption: rushes_av_opt_set_int
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
        makePacket = try library.function("av_packet_alloc")
        freePacket = try library.function("av_packet_free")
        emptyPacket = try library.function("av_packet_unref")
        setOption = try library.function("av_opt_set_int")
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
        guard let filters = FilterLibrary.shared else { throw SharedLibrary.Missing() }
        self.filters = filters
    }

    /// Loads it. Blocks.
    ///
    /// - Throws: ``RushesError`` that names the package where it is missing.
    package static func find() throws(RushesError) -> AnimationLibrary {
        guard let shared else {
            throw RushesError(
                .missingPlugin,
                "GIFs cannot be written: libavfilter is not installed; install the package \(FilterLibrary.package).")
        }
        return shared
    }

    /// Whether it is installed. Blocks.
    package static var isAvailable: Bool { shared != nil }

    /// What filters do.
    ///
    /// - Throws: ``RushesError`` in the place of what they throw.
    func filtering<Result>(_ body: (FilterLibrary) throws(FilterFailure) -> Result) throws(RushesError) -> Result {
        do { return try body(filters) } catch {
            throw RushesError(.encoderFailed, "The GIF cannot be made: \(error.words).")
        }
    }

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
