package import GStreamer
import MovieFiles

/// GStreamer 1.22, qtdemux: goes with the version that reads edited tracks to their ends; `WorkaroundTests` “qtdemux, the end of audio that is edited at its beginning”, “qtdemux, the end of a track without edits”, “qtdemux, the end of a movie in fragments” and “qtdemux, a movie without a header”.
///
/// Changes a movie's index on its way to qtdemux (1.22), so that it reads all tracks to their ends.
///
/// - It compares where a track stands with how long the movie lasts, and counts what the track's edit leaves out at its beginning
///   on one side only (`gst_qtdemux_loop_state_movie`, "check for segment end"): by that much it ends too early. Of AAC that is
///   the last packet, of what ffmpeg cut with `-ss … -c copy` most of the movie. It also takes a track for a preview that is
///   shorter than a fifth of the movie. Of a movie that does not say how long it lasts it gives everything,
///   and of one in fragments too, whose last frames are shown later than they are decoded.
/// - It refuses a movie without a header of its own (`mvhd`): the first box that is of no use to it is made into one.
/// - It refuses a description of colors (`colr`, `nclx`) that lacks its last byte, the range: QuickTime's (`nclc`) is the same
///   without it.
/// - It takes PCM of version 2, as audio of more than 65,535 Hz is told, for compressed audio, because of a field that is always
///   -2 there (`qtdemux_parse_trak`), and all of it then has the time 0.
/// - It ends a track without edits where its header says, whatever its samples last, and however much later than they are decoded they are
///   shown: the header says when the last one ends.
/// - It leaves out what begins where a track ends, so the last frame of cameras and phones that give it no length: such a track lasts
///   a tick longer.
/// - It presents audio later by what a table says that is for frames (`ctts`, ISO/IEC 14496-12, 8.6.1.3): some writers give it the delay of
///   their encoder, for the first packet alone, and what follows then comes twice. No packet of audio is decoded before others; the table goes.
/// - It takes an empty cue of WebVTT for one with bytes, which GLib tells as a critical fault (`gst_qtdemux_process_buffer_wvtt`): the track
///   goes, as the index itself has all that it shows.
/// - It leaves out what is decoded behind an edit's end, also where that is shown before: frames of QuickTime that are shown earlier than
///   their decoding times say (`advance_sample`). All are shown later there, and so is the edit, so that no frame is.
package enum MovieHeaderEdit {
    /// - Parameter element: what `parsebin` puts into itself.
    package static func apply(to element: Element) {
        guard element.factoryName == "qtdemux" else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in
            guard (try? buffer.withBytes { isIndex($0) }) == true else { return }
            try? buffer.withMutableBytes { apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[...])) }
        }
    }

    /// The same of bytes, where they are an index.
    package static func apply(to bytes: UnsafeMutableRawBufferPointer) {
        guard isIndex(UnsafeRawBufferPointer(bytes)) else { return }
        addHeader(bytes)
        edit(bytes)
    }

    /// qtdemux asks for the whole of the index at once; a sample may begin with the same name.
    private static func isIndex(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 32 && bytes[4..<8].elementsEqual("moov".utf8)
            && bytes[..<4].reduce(0) { $0 << 8 | Int($1) } == bytes.count
    }

    /// What leads to a track's sample descriptions, from the outside to the inside.
    private static let containers = ["moov", "trak", "mdia", "minf", "stbl"]
    /// What version 2 is used for where the samples are not compressed.
    private static let uncompressed: Set = ["lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64"]

    /// Edits the boxes that lie in the bytes, one behind the other.
    ///
    /// - Parameter depth: in how many of the containers they lie.
    private static func edit(_ bytes: UnsafeMutableRawBufferPointer, depth: Int = 0) {
        var place = 0
        while place + 8 <= bytes.count {
            let length = number(bytes, place, 4)
            guard length >= 8, place + length <= bytes.count else { return }
            let box = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + length])
            let type = type(box)
            if depth < containers.count, type == containers[depth] {
                edit(UnsafeMutableRawBufferPointer(rebasing: box[8...]), depth: depth + 1)
            }
            if depth == 1, type == "mvhd" { clearDuration(box) }
            if depth == 1, type == "mvex", let header = child(box, "mehd") { clearFragments(header) }
            if depth == 1, type == "trak" {
                if isWebVTT(box) { box[4..<8].copyBytes(from: "free".utf8) }
                removeOffsets(box)
                coverSamples(box)
                lengthen(box)
                showLater(box)
            }
            // Behind version, flags and the number of entries.
            if depth == containers.count, type == "stsd", length > 16 {
                let entry = UnsafeMutableRawBufferPointer(rebasing: box[16...])
                markUncompressed(entry)
                shortenColors(entry)
            }
            place += length
        }
    }

    /// The movie's header (ISO/IEC 14496-12, 8.2.2).
    private static func clearDuration(_ box: UnsafeMutableRawBufferPointer) {
        guard box.count > 8 else { return }
        let field = box[8] == 1 ? 32..<40 : 24..<28
        guard field.upperBound <= box.count else { return }
        for index in field { box[index] = 0 }
    }

    /// How long all fragments last, in the extends header (8.8.2).
    private static func clearFragments(_ box: UnsafeMutableRawBufferPointer) {
        for index in box.indices.dropFirst(12) { box[index] = 0 }
    }

    /// When a track's audio is presented, apart from when it is decoded.
    private static func removeOffsets(_ track: UnsafeMutableRawBufferPointer) {
        guard let media = child(track, "mdia"), let handler = child(media, "hdlr"), handler.count >= 20,
            handler[16..<20].elementsEqual("soun".utf8),
            let offsets = child(media, "minf").flatMap({ child($0, "stbl") }).flatMap({ child($0, "ctts") })
        else { return }
        offsets[4..<8].copyBytes(from: "free".utf8)
    }

    /// Whether a track's samples are cues of WebVTT (ISO/IEC 14496-30).
    private static func isWebVTT(_ track: UnsafeMutableRawBufferPointer) -> Bool {
        let samples = child(track, "mdia").flatMap { child($0, "minf") }.flatMap { child($0, "stbl") }
        guard let descriptions = samples.flatMap({ child($0, "stsd") }), descriptions.count >= 24 else { return false }
        return descriptions[20..<24].elementsEqual("wvtt".utf8)
    }

    /// The first box of a type in another.
    static func child(_ box: UnsafeMutableRawBufferPointer, _ kind: String) -> UnsafeMutableRawBufferPointer? {
        var place = 8
        while place + 8 <= box.count {
            let length = number(box, place, 4)
            guard length >= 8, place + length <= box.count else { return nil }
            let inner = UnsafeMutableRawBufferPointer(rebasing: box[place..<place + length])
            if type(inner) == kind { return inner }
            place += length
        }
        return nil
    }

    /// The first sample description, where it is QuickTime's version 2 for audio.
    private static func markUncompressed(_ entry: UnsafeMutableRawBufferPointer) {
        guard entry.count >= 72, uncompressed.contains(type(entry)), number(entry, 16, 2) == 2 else { return }
        (entry[28], entry[29]) = (0, 0)
    }

    /// The colors of the first sample description, where it is one of frames.
    private static func shortenColors(_ entry: UnsafeMutableRawBufferPointer) {
        // Behind the fields of a VisualSampleEntry (ISO/IEC 14496-12, 12.1.3) its boxes follow.
        var place = 86
        while place + 8 <= entry.count {
            let length = number(entry, place, 4)
            guard length >= 8, place + length <= entry.count else { return }
            let isColors = entry[place + 4..<place + 8].elementsEqual("colr".utf8)
            if isColors, length == 18, entry[place + 8..<place + 12].elementsEqual("nclx".utf8) {
                entry[place + 11] = UInt8(ascii: "c")
            }
            place += length
        }
    }

    /// What a player needs not.
    private static let spare: Set = ["udta", "free", "skip", "iods", "meta", "uuid", "wide"]

    /// Makes a `moov`'s first spare box its header, where it has none and the box has room for what is read of one.
    private static func addHeader(_ moov: UnsafeMutableRawBufferPointer) {
        var (place, room) = (8, nil as Range<Int>?)
        while place + 8 <= moov.count {
            let length = number(moov, place, 4)
            guard length >= 8, place + length <= moov.count else { return }
            let box = UnsafeMutableRawBufferPointer(rebasing: moov[place..<place + length])
            let kind = type(box)
            if kind == "mvhd" { return }
            if room == nil, length >= 32, spare.contains(kind) { room = place..<place + length }
            place += length
        }
        guard let room, let timescale = MovieTimescale.likely(inIndex: Array(moov)) else { return }
        let header = UnsafeMutableRawBufferPointer(rebasing: moov[room])
        header[4...].copyBytes(from: Array("mvhd".utf8) + [UInt8](repeating: 0, count: header.count - 8))
        withUnsafeBytes(of: timescale.bigEndian) { header[20...].copyBytes(from: $0) }
    }

    static func type(_ box: UnsafeMutableRawBufferPointer) -> String {
        String(decoding: box[4..<8], as: UTF8.self)
    }

    static func number(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
