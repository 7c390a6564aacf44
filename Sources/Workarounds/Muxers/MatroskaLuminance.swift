import MovieFiles

/// GStreamer 1.22, matroskamux: goes with the version that writes luminances as they are; `WorkaroundTests` “matroskamux, the luminances of a mastering display”.
///
/// The luminances of HDR10's mastering display in Matroska and WebM.
///
/// matroskamux (1.22) takes their steps of 0.0001 candela a square metre for steps of 0.00002, so 4000 become 800.
enum MatroskaLuminance {
    /// LuminanceMax and LuminanceMin with the size of what follows, a number in eight bytes (RFC 9559, 5.1.4.1.28.39 and 5.1.4.1.28.40).
    private static let (maximum, minimum): ([UInt8], [UInt8]) = ([0x55, 0xD9, 0x88], [0x55, 0xDA, 0x88])
    /// The identifier of MasteringMetadata (5.1.4.1.28.30).
    private static let display: [UInt8] = [0x55, 0xD0]

    /// Puts what is true in the place of what the muxer made of it, where these bytes have it.
    static func restore(_ bytes: UnsafeMutableRawBufferPointer, _ told: MasteringDisplay) {
        guard let begin = bytes.firstRange(of: display)?.upperBound else { return }
        for (head, value) in [(maximum, told.maximumLuminance), (minimum, told.minimumLuminance)] {
            guard let place = bytes[begin...].firstRange(of: head)?.upperBound, place + 8 <= bytes.count else {
                return
            }
            withUnsafeBytes(of: value.bitPattern.bigEndian) { bytes[place..<place + 8].copyBytes(from: $0) }
        }
    }
}
