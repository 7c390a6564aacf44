import CLibAV
import SharedLibraries

/// libavfilter, and the frames of libavutil that it takes, where the versions are installed that Rushes was built for.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
package final class FilterLibrary: @unchecked Sendable {
    /// nil where it is not installed. Blocks where nobody has asked before.
    package static let shared = try? FilterLibrary()

    let makeFrame: rushes_av_frame_alloc
    let freeFrame: rushes_av_frame_free
    let fillFrame: rushes_av_frame_get_buffer
    let emptyFrame: rushes_av_frame_unref
    let copyText: rushes_av_strdup
    let filter: rushes_avfilter_get_by_name
    let makeGraph: rushes_avfilter_graph_alloc
    let freeGraph: rushes_avfilter_graph_free
    let makeFilter: rushes_avfilter_graph_create_filter
    let link: rushes_avfilter_link
    let parse: rushes_avfilter_graph_parse_ptr
    let makeEnd: rushes_avfilter_inout_alloc
    let freeEnds: rushes_avfilter_inout_free
    let configure: rushes_avfilter_graph_config
    let addFrame: rushes_av_buffersrc_add_frame
    let takeFrame: rushes_av_buffersink_get_frame
    let timeBase: rushes_av_buffersink_get_time_base
    let frameRate: rushes_av_buffersink_get_frame_rate
    let pixelAspect: rushes_av_buffersink_get_sample_aspect_ratio
    let width: rushes_av_buffersink_get_w
    let height: rushes_av_buffersink_get_h
    let format: rushes_av_buffersink_get_format
    let sampleRate: rushes_av_buffersink_get_sample_rate
    let channels: rushes_av_buffersink_get_channels
    let layout: rushes_av_buffersink_get_ch_layout
    /// Has what the library says of errors told to ``FilterMessages``, whoever else has been told before, as GStreamer's own plugin is. A
    /// closure, as the type of the library's function keeps Swift 6.3 from compiling who imports this.
    private let listen: () -> Void

    private init() throws(SharedLibrary.Missing) {
        // The functions of libavutil are those of the one that it is linked with.
        let library = try SharedLibrary("libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)")
        makeFrame = try library.function("av_frame_alloc")
        freeFrame = try library.function("av_frame_free")
        fillFrame = try library.function("av_frame_get_buffer")
        emptyFrame = try library.function("av_frame_unref")
        copyText = try library.function("av_strdup")
        filter = try library.function("avfilter_get_by_name")
        makeGraph = try library.function("avfilter_graph_alloc")
        freeGraph = try library.function("avfilter_graph_free")
        makeFilter = try library.function("avfilter_graph_create_filter")
        link = try library.function("avfilter_link")
        parse = try library.function("avfilter_graph_parse_ptr")
        makeEnd = try library.function("avfilter_inout_alloc")
        freeEnds = try library.function("avfilter_inout_free")
        configure = try library.function("avfilter_graph_config")
        addFrame = try library.function("av_buffersrc_add_frame")
        takeFrame = try library.function("av_buffersink_get_frame")
        timeBase = try library.function("av_buffersink_get_time_base")
        frameRate = try library.function("av_buffersink_get_frame_rate")
        pixelAspect = try library.function("av_buffersink_get_sample_aspect_ratio")
        width = try library.function("av_buffersink_get_w")
        height = try library.function("av_buffersink_get_h")
        format = try library.function("av_buffersink_get_format")
        sampleRate = try library.function("av_buffersink_get_sample_rate")
        channels = try library.function("av_buffersink_get_channels")
        layout = try library.function("av_buffersink_get_ch_layout")
        let setLogCallback: rushes_av_log_set_callback = try library.function("av_log_set_callback")
        listen = { rushes_av_listen(setLogCallback) { line in FilterMessages.take(line) } }
        // What it says goes to nobody's terminal.
        listen()
    }

    /// Does something of which the library says what is wrong with it.
    ///
    /// - Throws: ``FilterFailure`` where the answer is the code of an error.
    func checked(_ what: String, _ body: () -> Int32) throws(FilterFailure) {
        listen()
        let (answer, messages) = FilterMessages.collected(body)
        guard answer < 0, !messages.isEmpty else { return try check(answer, what) }
        throw FilterFailure(messages.joined(separator: "; "))
    }

    /// The Debian package that is to be installed where it is missing.
    package static var package: String { "libavfilter\(LIBAVFILTER_VERSION_MAJOR)" }

    /// - Throws: ``FilterFailure`` where it is the code of an error.
    func check(_ answer: Int32, _ what: String) throws(FilterFailure) {
        if answer < 0 { throw FilterFailure("\(what) fails with \(answer)") }
    }

    /// - Throws: ``FilterFailure`` where there is none, for want of memory or a part of the library.
    func made<Thing>(_ thing: Thing?, _ what: String) throws(FilterFailure) -> Thing {
        guard let thing else { throw FilterFailure("there is no \(what) here") }
        return thing
    }
}

/// Why filters do nothing.
package struct FilterFailure: Error {
    /// As the end of a sentence, without a full stop.
    package let words: String

    package init(_ words: String) { self.words = words }
}
