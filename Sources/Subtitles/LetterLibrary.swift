import CASS
import Errors
import SharedLibraries

/// libass's functions, where it is installed.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
final class LetterLibrary: @unchecked Sendable {
    private static let shared = try? LetterLibrary()

    let begin: rushes_ass_library_init
    let end: rushes_ass_library_done
    let setMessages: rushes_ass_set_message_cb
    let setExtractsFonts: rushes_ass_set_extract_fonts
    let addFont: rushes_ass_add_font
    let makeRenderer: rushes_ass_renderer_init
    let freeRenderer: rushes_ass_renderer_done
    let setFrameSize: rushes_ass_set_frame_size
    let setStorageSize: rushes_ass_set_storage_size
    let setPixelAspect: rushes_ass_set_pixel_aspect
    let setFonts: rushes_ass_set_fonts
    let render: rushes_ass_render_frame
    let makeTrack: rushes_ass_new_track
    let freeTrack: rushes_ass_free_track
    let readTrack: rushes_ass_read_memory
    let setChecksOrder: rushes_ass_set_check_readorder
    let addHeader: rushes_ass_process_codec_private
    let addEvent: rushes_ass_process_chunk

    private init() throws(SharedLibrary.Missing) {
        let library = try SharedLibrary("libass.so.9")
        begin = try library.function("ass_library_init")
        end = try library.function("ass_library_done")
        setMessages = try library.function("ass_set_message_cb")
        setExtractsFonts = try library.function("ass_set_extract_fonts")
        addFont = try library.function("ass_add_font")
        makeRenderer = try library.function("ass_renderer_init")
        freeRenderer = try library.function("ass_renderer_done")
        setFrameSize = try library.function("ass_set_frame_size")
        setStorageSize = try library.function("ass_set_storage_size")
        setPixelAspect = try library.function("ass_set_pixel_aspect")
        setFonts = try library.function("ass_set_fonts")
        render = try library.function("ass_render_frame")
        makeTrack = try library.function("ass_new_track")
        freeTrack = try library.function("ass_free_track")
        readTrack = try library.function("ass_read_memory")
        setChecksOrder = try library.function("ass_set_check_readorder")
        addHeader = try library.function("ass_process_codec_private")
        addEvent = try library.function("ass_process_chunk")
    }

    /// - Throws: ``RushesError`` where there is no libass.
    static func find() throws(RushesError) -> LetterLibrary {
        guard let shared else { throw SubtitleLibraries.missing("libass", "libass9") }
        return shared
    }
}
