package import MediaTypes

/// What each frame of DV says of itself (IEC 61834-2 and -4).
package enum DVFrame {
    private static let blockSize = 80
    private static let packSize = 5
    /// "VAUX source control".
    private static let sourceControl: UInt8 = 0x61

    /// How wide a pixel is for its height, in frames 720 pixels wide.
    ///
    /// - Parameter bytes: of a frame, its first six blocks at least.
    /// - Returns: nil where it does not say.
    package static func pixelAspect(_ bytes: [UInt8]) -> Fraction? {
        guard bytes.count >= 6 * blockSize else { return nil }
        // Behind the head and two blocks of subcode lie three of such packs.
        let blocks = (3..<6).map { $0 * blockSize + 3 }
        let packs = blocks.flatMap { block in (0..<15).map { block + $0 * packSize } }
        guard let pack = packs.first(where: { bytes[$0] == sourceControl }) else { return nil }
        let (display, track) = (bytes[pack + 2] & 7, bytes[4] & 7)
        // The second mark is the consumers' kind alone.
        let isWide = display == 2 || display == 7 && track == 0
        let isPAL = bytes[3] & 0x80 != 0
        return isPAL ? Fraction(isWide ? 64 : 16, isWide ? 45 : 15) : Fraction(isWide ? 32 : 8, isWide ? 27 : 9)
    }
}
