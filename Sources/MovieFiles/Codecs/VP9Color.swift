/// The matrix of colors in VP9's key frames (VP9 Bitstream & Decoding Process Specification, sections 6.2 and 7.2.2).
package enum VP9Color {
    /// By matrix coefficients (ITU-T H.273): BT.709, BT.601 with either number, SMPTE 240M, BT.2020.
    private static let spaces: [UInt16: UInt8] = [1: 2, 5: 1, 6: 3, 7: 4, 9: 5]

    /// Whether VP9 has a word for a matrix, or there is nothing to say.
    package static func canTell(matrix: UInt16) -> Bool { matrix == 2 || spaces[matrix] != nil }

    /// Says in a frame which matrix it has, if it is a key frame that is not RGB; 0, not known, where VP9 has no word for it.
    package static func describe(_ frame: UnsafeMutableRawBufferPointer, matrix: UInt16) {
        guard let header = VP9Header(Array(frame.prefix(16))[...]), !header.isRGB else { return }
        let space = spaces[matrix] ?? 0
        for bit in 0..<3 {
            let place = header.colorPlace + bit
            let mask = UInt8(0x80) >> UInt8(place % 8)
            if space >> UInt8(2 - bit) & 1 == 1 { frame[place / 8] |= mask } else { frame[place / 8] &= ~mask }
        }
    }
}
