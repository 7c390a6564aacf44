package import GStreamer

/// GStreamer 1.22, x265enc: goes with the version that writes one set of parameters for a frame; `WorkaroundTests` “x265enc, what stands before a first frame with HDR10's light”.
///
/// Where x265enc (1.22) has put more in front of a frame than there is.
///
/// Where frames tell of HDR10's light, it sets the parameter sets and messages before the first one, and the messages once more, as many bytes
/// as all of them have: those behind are whatever lies in memory. As a rule it is a text, but zeros in it look like the beginning of a
/// unit, which took the first frame's place in one of a hundred movies on a busy machine. x265 itself begins such frames with their parameter
/// sets, so everything before those goes.
package enum X265Header {
    /// Where the frame's own parameter sets begin, if they do not at once.
    ///
    /// - Parameter frame: units behind start codes (ITU-T H.265 annex B).
    package static func spoiledCount(_ frame: UnsafeRawBufferPointer) -> Int? {
        let start: [UInt8] = [0, 0, 0, 1]
        // Video parameter set.
        guard frame.count > 6, frame.prefix(4).elementsEqual(start), frame[4] >> 1 & 0x3F == 32 else { return nil }
        // No slice is searched: the next frame's set is not in this one.
        let searched = frame.prefix(64 << 10)
        let places = searched.indices.dropLast(4).filter {
            searched[$0] == 0 && searched[$0..<$0 + 4].elementsEqual(start)
        }
        guard places.count > 1 else { return nil }
        let set = searched[0..<places[1] + 4]
        let own = places.last { searched[$0...].starts(with: set) }
        return own == 0 ? nil : own
    }
}

extension Element {
    /// Drops what x265enc has put in front of a frame by mistake; does nothing to other encoders. See ``X265Header``.
    package func dropSpoiledHeaders() {
        guard factoryName == "x265enc" else { return }
        // Before the parser, which would take it for units.
        _ = pad("src")?.addBufferEditor { frame in
            guard frame.isKeyFrame,
                let own = try? frame.withBytes({ bytes in X265Header.spoiledCount(bytes).map { Array(bytes[$0...]) } })
            else { return }
            frame = frame.replacingBytes(with: own)
        }
    }
}
