package import MediaTypes

/// How AVI, and Matroska after it, describe frames (Microsoft, "BITMAPINFOHEADER"): numbers with the lowest byte first, and behind them what the
/// decoder is told.
package struct BitmapHeader: Sendable, Equatable {
    package let bytes: [UInt8]

    /// Matroska's `CodecID` of tracks that are described so.
    package static let codecID = "V_MS/VFW/FOURCC"
    /// Without what the decoder is told, in bytes.
    package static let size = 40
    /// Where the code of the codec stands.
    package static let codePlace = 16
    /// In bytes: more than any decoder is told.
    package static let mostBytes = 1 << 20

    /// - Returns: nil of what is too short, or has no letters for a code: frames without a codec have a number.
    package init?(_ bytes: [UInt8]) {
        guard (Self.size...Self.mostBytes).contains(bytes.count),
            bytes[Self.codePlace..<Self.codePlace + 4].allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - size: of the frames, in pixels.
    ///   - bitsPerPixel: of all components together.
    ///   - code: of the codec, four letters.
    ///   - configuration: what the decoder is told.
    package init?(_ size: VideoSize, bitsPerPixel: UInt16 = 24, code: [UInt8], configuration: [UInt8] = []) {
        guard code.count == 4 else { return nil }
        func little(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian, Array.init)
        }
        let (width, height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
        let imageSize = UInt32(clamping: size.pixels / 8 * Int(bitsPerPixel))
        self.init(
            little(UInt32(Self.size + configuration.count)) + little(width) + little(height) + little(UInt16(1))
                + little(bitsPerPixel) + code + little(imageSize) + [UInt8](repeating: 0, count: 16) + configuration)
    }

    /// What the decoder is told.
    package var configuration: ArraySlice<UInt8> { bytes.dropFirst(Self.size) }
    /// In pixels. The height is negative of frames that begin with their first line.
    package var frameSize: VideoSize {
        func number(_ place: Int) -> Int {
            Int(
                Int32(
                    truncatingIfNeeded: bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
        }
        return VideoSize(number(4), abs(number(8)))
    }
}

extension BitmapHeader {
    /// - Parameter code: of the codec, as AVI has it.
    /// - Returns: nil where the entry does not say how large its frames are, or the code is none.
    init?(_ entry: SampleEntry, code: [UInt8]) {
        let size = entry.codedSize
        guard let depth = UInt16(bigEndianBytes: entry.fields.dropFirst(74).prefix(2)), size.width > 0, size.height > 0
        else { return nil }
        // As ffmpeg keeps it.
        let configuration = entry["glbl"].map { Array($0.payload) } ?? []
        self.init(size, bitsPerPixel: depth, code: code, configuration: configuration)
    }
}
