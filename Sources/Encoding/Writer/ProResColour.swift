import GStreamer

/// Puts the colours' meaning into ProRes frames, where players look for it first.
///
/// avenc_prores_ks (GStreamer 1.22) leaves the three code points of the frame header at "unspecified", and ffprobe
/// believes the header more than the `colr` atom beside it.
/// Source: SMPTE RDD 36, 5.1.1 frame header: after the frame's size and "icpf", bytes 14 to 16 of the header.
enum ProResColour {
    private static let place = 8 + 14

    static func stamp(_ frame: inout Buffer, _ colour: GStreamer.Colorimetry) {
        guard frame.byteCount > place + 3 else { return }
        // A frame that cannot be mapped goes on as it is: unspecified colours are no reason to lose it.
        try? frame.withMutableBytes { bytes in
            guard bytes[4..<8].elementsEqual("icpf".utf8) else { return }
            bytes[place] = UInt8(clamping: colour.primaries)
            bytes[place + 1] = UInt8(clamping: colour.transfer)
            bytes[place + 2] = UInt8(clamping: colour.matrix)
        }
    }
}
