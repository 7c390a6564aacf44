/// The colors in the header of a ProRes frame (SMPTE RDD 36, 5.1.1): behind the frame's size and "icpf", bytes 14 to 16.
package enum ProResColors {
    private static let place = 8 + 14

    /// nil where the frame is none.
    package static func read(_ frame: [UInt8]) -> ColorInformation? {
        guard frame.count > place + 3, frame[4..<8].elementsEqual("icpf".utf8) else { return nil }
        // 0 and 2 are "unknown".
        let codes = frame[place..<place + 3].map { $0 == 0 ? 2 : UInt16($0) }
        return ColorInformation(primaries: codes[0], transfer: codes[1], matrix: codes[2], isFullRange: nil)
    }

    /// Says what the colors are; does nothing to what is no frame.
    package static func describe(_ frame: UnsafeMutableRawBufferPointer, _ color: ColorInformation) {
        guard frame.count > place + 3, frame[4..<8].elementsEqual("icpf".utf8) else { return }
        for (index, code) in [color.primaries, color.transfer, color.matrix].enumerated() {
            frame[place + index] = UInt8(clamping: code)
        }
    }
}
