import CLibAV
import SharedLibraries

/// libavformat's functions and libavcodec's, where the versions are installed that Rushes was built for.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
final class FormatLibrary: @unchecked Sendable {
    /// nil where there is no such libavformat.
    static let shared = try? FormatLibrary()

    let setLogLevel: rushes_av_log_set_level
    let allocate: rushes_av_malloc
    let free: rushes_av_freep
    let entry: rushes_av_dict_get
    let makePacket: rushes_av_packet_alloc
    let freePacket: rushes_av_packet_free
    let emptyPacket: rushes_av_packet_unref
    let makeFrame: rushes_av_frame_alloc
    let freeFrame: rushes_av_frame_free
    let setOption: rushes_av_opt_set
    let hasEnding: rushes_av_match_ext
    let findDecoder: rushes_avcodec_find_decoder
    let pixels: rushes_av_pix_fmt_desc_get
    let rowBytes: rushes_av_image_get_linesize
    let readLine: rushes_av_read_image_line2
    let sideData: rushes_av_stream_get_side_data
    let rotation: rushes_av_display_rotation_get
    let readPacket: rushes_av_read_frame
    let codecName: rushes_avcodec_get_name
    let makeDecoder: rushes_avcodec_alloc_context3
    let freeDecoder: rushes_avcodec_free_context
    let setParameters: rushes_avcodec_parameters_to_context
    let openDecoder: rushes_avcodec_open2
    let sendPacket: rushes_avcodec_send_packet
    let receiveFrame: rushes_avcodec_receive_frame
    let makeFormat: rushes_avformat_alloc_context
    let openFormat: rushes_avformat_open_input
    let findStreams: rushes_avformat_find_stream_info
    let closeFormat: rushes_avformat_close_input
    private let codecOfTag: rushes_av_codec_get_id
    private let movieTags: rushes_avformat_get_mov_video_tags
    private let waveTags: rushes_avformat_get_riff_video_tags
    let makeBytes: rushes_avio_alloc_context
    let freeBytes: rushes_avio_context_free

    private init() throws(SharedLibrary.Missing) {
        // The functions of libavcodec and libavutil are those of the ones that it is linked with.
        let library = try SharedLibrary("libavformat.so.\(LIBAVFORMAT_VERSION_MAJOR)")
        setLogLevel = try library.function("av_log_set_level")
        allocate = try library.function("av_malloc")
        free = try library.function("av_freep")
        entry = try library.function("av_dict_get")
        makePacket = try library.function("av_packet_alloc")
        freePacket = try library.function("av_packet_free")
        emptyPacket = try library.function("av_packet_unref")
        makeFrame = try library.function("av_frame_alloc")
        freeFrame = try library.function("av_frame_free")
        setOption = try library.function("av_opt_set")
        hasEnding = try library.function("av_match_ext")
        findDecoder = try library.function("avcodec_find_decoder")
        pixels = try library.function("av_pix_fmt_desc_get")
        rowBytes = try library.function("av_image_get_linesize")
        readLine = try library.function("av_read_image_line2")
        sideData = try library.function("av_stream_get_side_data")
        rotation = try library.function("av_display_rotation_get")
        readPacket = try library.function("av_read_frame")
        codecName = try library.function("avcodec_get_name")
        makeDecoder = try library.function("avcodec_alloc_context3")
        freeDecoder = try library.function("avcodec_free_context")
        setParameters = try library.function("avcodec_parameters_to_context")
        openDecoder = try library.function("avcodec_open2")
        sendPacket = try library.function("avcodec_send_packet")
        receiveFrame = try library.function("avcodec_receive_frame")
        makeFormat = try library.function("avformat_alloc_context")
        openFormat = try library.function("avformat_open_input")
        findStreams = try library.function("avformat_find_stream_info")
        closeFormat = try library.function("avformat_close_input")
        makeBytes = try library.function("avio_alloc_context")
        freeBytes = try library.function("avio_context_free")
        codecOfTag = try library.function("av_codec_get_id")
        (movieTags, waveTags) = (
            try library.function("avformat_get_mov_video_tags"), try library.function("avformat_get_riff_video_tags")
        )
        // What it says goes to nobody's terminal.
        setLogLevel(AV_LOG_QUIET)
    }

    /// As ffprobe names what QuickTime or AVI call so; nil where it has no name.
    func codec(named tag: String) -> String? {
        for name in [tag, tag.uppercased()] where name.utf8.count == 4 {
            let number = name.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for tags in [movieTags(), waveTags()] {
                // A list of lists, with none at its end.
                let found = [tags, nil].withUnsafeBufferPointer { codecOfTag($0.baseAddress, number) }
                if found != AV_CODEC_ID_NONE { return codecName(found).map { String(cString: $0) } }
            }
        }
        return nil
    }
}
