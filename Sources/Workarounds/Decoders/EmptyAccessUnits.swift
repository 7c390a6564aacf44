package import GStreamer

/// GStreamer 1.22, avdec_h264 and avdec_h265: goes with the version that hands out all frames behind an empty access unit; `WorkaroundTests` “avdec_h264, an access unit without a frame”.
///
/// Takes access units without a frame out of what is decoded: a delimiter alone, as streams end with that were cut before the next frame.
///
/// avdec_h264 and avdec_h265 (1.22) decode several frames at a time, and where one fails as they hand out the last ones, all behind it are
/// lost.
package enum EmptyAccessUnits {
    /// - Parameter decoder: what `decodebin` puts into itself.
    package static func drop(before decoder: Element) {
        guard let isDelimiter = delimiters[decoder.factoryName ?? ""], let input = decoder.pad("sink") else { return }
        _ = input.addBufferProbe { buffer in
            // Behind a start code or a length.
            let isEmpty = (6...7).contains(buffer.byteCount) && (try? buffer.withBytes { isDelimiter($0[4]) }) == true
            return isEmpty ? .drop : .pass
        }
    }

    /// By the decoder: ISO/IEC 14496-10, table 7-1, and ISO/IEC 23008-2, table 7-1.
    private static let delimiters: [String: @Sendable (UInt8) -> Bool] = [
        "avdec_h264": { $0 & 0x1F == 9 }, "avdec_h265": { $0 >> 1 & 0x3F == 35 },
    ]
}
