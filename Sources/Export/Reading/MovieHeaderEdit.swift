import GStreamer

/// Changes a movie's index on its way to qtdemux (1.22), so that it reads all tracks to their ends.
///
/// - It compares where a track stands with how long the movie lasts, and counts what the track's edit leaves out at its beginning
///   on one side only (`gst_qtdemux_loop_state_movie`, "check for segment end"): by that much it ends too early. Of AAC that is
///   the last packet, of what ffmpeg cut with `-ss … -c copy` most of the movie. It also takes a track for a preview that is
///   shorter than a fifth of the movie. Of a movie that does not say how long it lasts it gives everything.
/// - It takes PCM of version 2, as audio of more than 65,535 Hz is told, for compressed audio, because of a field that is always
///   -2 there (`qtdemux_parse_trak`), and all of it then has the time 0.
enum MovieHeaderEdit {
    /// - Parameter element: what `parsebin` puts into itself.
    static func apply(to element: Element) {
        guard element.factoryName == "qtdemux" else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in
            guard buffer.byteCount > 32, (try? buffer.withBytes { isIndex($0) }) == true else { return }
            try? buffer.withMutableBytes { edit(UnsafeMutableRawBufferPointer(rebasing: $0[...])) }
        }
    }

    private static func isIndex(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes[4..<8].elementsEqual("moov".utf8) }

    /// What leads to a track's sample descriptions.
    private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl"]
    /// What version 2 is used for where the samples are not compressed.
    private static let uncompressed: Set = ["lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64"]

    /// Edits the boxes that lie in the bytes, one behind the other.
    private static func edit(_ bytes: UnsafeMutableRawBufferPointer) {
        var place = 0
        while place + 8 <= bytes.count {
            let length = number(bytes, place, 4)
            guard length >= 8, place + length <= bytes.count else { return }
            let box = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + length])
            let type = type(box)
            if containers.contains(type) { edit(UnsafeMutableRawBufferPointer(rebasing: box[8...])) }
            if type == "mvhd" { clearDuration(box) }
            // Behind version, flags and the number of entries.
            if type == "stsd", length > 16 { markUncompressed(UnsafeMutableRawBufferPointer(rebasing: box[16...])) }
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

    /// The first sample description, where it is QuickTime's version 2 for audio.
    private static func markUncompressed(_ entry: UnsafeMutableRawBufferPointer) {
        guard entry.count >= 72, uncompressed.contains(type(entry)), number(entry, 16, 2) == 2 else { return }
        (entry[28], entry[29]) = (0, 0)
    }

    private static func type(_ box: UnsafeMutableRawBufferPointer) -> String {
        String(decoding: box[4..<8], as: UTF8.self)
    }

    private static func number(_ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
