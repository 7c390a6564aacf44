/// A packet of Opus behind which a decoder begins anew: another movie's packets follow, whose encoder knew nothing of those before.
///
/// Without it, what a decoder keeps of the movie before makes the first 50 ms up to 10 dB too loud or too quiet. A change between its two ways
/// of coding, SILK and CELT, makes it forget (RFC 6716 section 4.5.2), and fades within 5 ms, which the priming of nearly all is longer than. So
/// it is 20 ms of silence in the other way than the packet behind it.
enum OpusReset: Sendable {
    case silk, celt

    /// - Parameter next: the first byte of the packet behind it (RFC 6716 section 3.1).
    init(before next: UInt8) { self = next >> 3 < 16 ? .celt : .silk }

    /// Both, one behind the other.
    static let bytes: [UInt8] = [0x08, 0xE0, 0xB3, 0x0E, 0xC6, 0x00] + [0xF8, 0xFF, 0xFE]

    /// Where it lies among ``bytes``.
    var place: Range<Int> { self == .silk ? 0..<6 : 6..<9 }

    /// At 48 kHz.
    static let sampleCount: Int64 = 960
}
