import GStreamer

/// Lets qtdemux (1.22) read the tracks of a movie to their ends.
///
/// It compares where a track stands with how long the movie lasts, and counts what the track's edit leaves out at its beginning
/// on one side only (`gst_qtdemux_loop_state_movie`, "check for segment end"): by that much it ends too early. Of AAC that is the
/// last packet, of what ffmpeg cut with `-ss … -c copy` most of the movie. It also takes a track for a preview that is shorter
/// than a fifth of the movie. Of a movie that does not say how long it lasts it gives everything.
enum MovieHeaderEdit {
    /// - Parameter element: what `parsebin` puts into itself.
    static func apply(to element: Element) {
        guard element.factoryName == "qtdemux" else { return }
        _ = element.pad("sink")?.addBufferEditor { buffer in
            guard buffer.byteCount > 32, (try? buffer.withBytes { isIndex($0) }) == true else { return }
            try? buffer.withMutableBytes { clearDuration($0) }
        }
    }

    private static func isIndex(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes[4..<8].elementsEqual("moov".utf8) }

    /// Sets the duration of the movie's header (ISO/IEC 14496-12, 8.2.2) to 0.
    static func clearDuration(_ bytes: UnsafeMutableRawBufferPointer) {
        func size(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        // A size of 64 bits stands behind the type.
        var place = size(0) == 1 ? 16 : 8
        while place + 8 <= bytes.count {
            let length = size(place)
            if bytes[place + 4..<place + 8].elementsEqual("mvhd".utf8), place + 9 < bytes.count {
                let isWide = bytes[place + 8] == 1
                let field = place + 8 + (isWide ? 24 : 16)
                let end = field + (isWide ? 8 : 4)
                guard end <= bytes.count, end <= place + length else { return }
                for index in field..<end { bytes[index] = 0 }
                return
            }
            guard length >= 8 else { return }
            place += length
        }
    }
}
