package import GStreamer
package import MovieFiles

/// GStreamer 1.22, matroskamux: goes with the version that takes frames of any codec that AVI has a code for; `WorkaroundTests` “matroskamux, frames of other codecs”.
///
/// matroskamux (1.22) describes frames as AVI does only of the codecs that it knows. Others are handed to it as one of those, and their own
/// description takes the place of what it writes, on the way to the file.
package enum MatroskaBitmapHeader {
    /// What such frames are called before the muxer: those of a codec that it asks nothing of.
    private static let stand = (caps: "video/x-huffyuv", code: Array("HFYU".utf8))
    /// The identifier of CodecPrivate (RFC 9559, 5.1.4.1.22).
    private static let codecPrivate: [UInt8] = [0x63, 0xA2]

    /// What the muxer is to be told of the frames.
    ///
    /// - Parameter told: Size, rate and shape of the pixels, which it takes.
    package static func caps(_ told: Caps, _ header: BitmapHeader) -> Caps {
        let kept = ["width", "height", "framerate", "pixel-aspect-ratio"]
        // AVI's demuxer says nothing of frames of a codec that it does not know, either.
        let own: [String: FieldValue] = [
            "width": .int(Int64(header.frameSize.width)), "height": .int(Int64(header.frameSize.height)),
        ]
        let fields = own.merging(told.first?.fields.filter { kept.contains($0.key) } ?? [:]) { $1 }
        let caps = Caps(stand.caps, fields)
        return header.configuration.isEmpty ? caps : caps.with(codecData: Array(header.configuration))
    }

    /// Puts the frames' own description in the place of the muxer's, where these bytes have it: both are as long.
    static func restore(_ bytes: UnsafeMutableRawBufferPointer, _ header: BitmapHeader) {
        let id = Array(BitmapHeader.codecID.utf8)
        guard let named = bytes.firstRange(of: id)?.upperBound,
            let told = bytes[named...].firstRange(of: codecPrivate)?.upperBound,
            let code = bytes[told...].firstRange(of: stand.code)?.lowerBound
        else { return }
        let begin = code - BitmapHeader.codePlace
        guard begin > told, bytes.count - begin >= header.bytes.count else { return }
        bytes[begin..<begin + header.bytes.count].copyBytes(from: header.bytes)
    }
}
