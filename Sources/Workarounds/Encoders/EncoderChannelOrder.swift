/// GStreamer 1.22, flacenc and opusenc: goes with the version in which they write the order that they tell; `WorkaroundTests` “flacenc, the order of eight channels” and “opusenc, the order of five channels”.
///
/// In which order channels are handed to encoders that mix it up.
///
/// flacenc (1.22) lays seven and eight channels down in an order of its own (RFC 9639, section 9.1.3, has another), and opusenc (1.22) takes the
/// inverse of the order that its stream's head tells (RFC 7845, section 5.1.1.2), which is another one for five, seven and eight.
package enum EncoderChannelOrder {
    /// The place that each channel is moved to, so that it comes out where it belongs; nil where all stay.
    ///
    /// - Parameters:
    ///   - mask: which speakers they are for, as GStreamer says it; nil where that is the usual order of WAVE.
    ///   - encoder: the element.
    package static func places(of mask: UInt64?, channels: Int, in encoder: String) -> [Int]? {
        // The third pair stands before the rear center, which FLAC and Opus have before the pair.
        let hasCenterLast = mask == 0x13f
        return switch (encoder, channels) {
        case ("flacenc", 7): hasCenterLast ? [0, 1, 4, 5, 3, 6, 2] : [0, 1, 4, 5, 2, 3, 6]
        case ("flacenc", 8): [0, 1, 4, 5, 2, 3, 6, 7]
        case ("opusenc", 5): [0, 1, 3, 4, 2]
        case ("opusenc", 7): hasCenterLast ? [0, 1, 5, 3, 4, 6, 2] : [0, 1, 5, 3, 2, 4, 6]
        case ("opusenc", 8): [0, 1, 4, 5, 6, 7, 2, 3]
        default: nil
        }
    }
}
