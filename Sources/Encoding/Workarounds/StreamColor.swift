package import GStreamer
import MovieFiles

/// Puts the colours' meaning into the encoded frames themselves, for the encoders of GStreamer 1.22 that leave it out:
/// players look there first, and believe it more than the `colr` box beside it.
package struct StreamColor: Sendable, Equatable {
    /// How the frames are coded.
    package enum Stream: Sendable { case proRes, av1 }

    /// How the frames are coded.
    package var stream: Stream
    /// What is put into them.
    package var colour: GStreamer.Colorimetry

    /// - Returns: `nil` for a codec whose encoders write the colours themselves, or where the colours are not known.
    package init?(_ codec: VideoCodec?, _ colour: GStreamer.Colorimetry?) {
        guard let colour else { return nil }
        switch codec {
        case .prores: stream = .proRes
        case .av1: stream = .av1
        default: return nil
        }
        self.colour = colour
    }

    /// A frame that cannot be read or changed goes on as it is: unspecified colours are no reason to lose it.
    func stamp(_ frame: inout Buffer) {
        switch stream {
        case .proRes: stampProRes(&frame)
        case .av1: stampAV1(&frame)
        }
    }

    /// ``ProResEncoder`` does not know the colours and leaves the three code points of the frame header at "unspecified".
    /// Source: SMPTE RDD 36, 5.1.1 frame header: after the frame's size and "icpf", bytes 14 to 16 of the header.
    private func stampProRes(_ frame: inout Buffer) {
        let place = 8 + 14
        guard frame.byteCount > place + 3 else { return }
        try? frame.withMutableBytes { bytes in
            guard bytes[4..<8].elementsEqual("icpf".utf8) else { return }
            bytes[place] = UInt8(clamping: colour.primaries)
            bytes[place + 1] = UInt8(clamping: colour.transfer)
            bytes[place + 2] = UInt8(clamping: colour.matrix)
        }
    }

    /// av1enc leaves the colours out of the sequence header, which is in each key frame's temporal unit.
    private func stampAV1(_ unit: inout Buffer) {
        guard unit.isKeyFrame, let bytes = try? unit.withBytes({ Array($0) }),
            let described = AV1Colour.describing(
                bytes, primaries: UInt8(clamping: colour.primaries), transfer: UInt8(clamping: colour.transfer),
                matrix: UInt8(clamping: colour.matrix), isFullRange: colour.isFullRange)
        else { return }
        unit = unit.replacingBytes(with: described)
    }
}
