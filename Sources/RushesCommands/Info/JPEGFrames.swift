import SystemPackage

/// JPEGs without a container, one or many behind each other: GStreamer (1.22) hands them on in blocks of bytes.
struct JPEGFrames {
    private(set) var count = 0
    private var state = State.outside
    private var isWithinImage = false

    private enum State {
        /// Before a marker.
        case outside
        case marker
        /// The two bytes of a segment's length, which counts itself, too.
        case length(isScan: Bool), lowLength(high: Int, isScan: Bool)
        case segment(rest: Int, isScan: Bool)
        /// Behind the head of a scan: bits, in which a marker's first byte is followed by zero, or by the marker of a restart.
        case bits, bitsMarker
    }

    private static let pieceSize = 1 << 20
    /// What is larger is not counted.
    private static let mostPieces = 512

    /// - Returns: nil for what cannot be read, has no image, or is too large to be counted.
    init?(_ path: FilePath) {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        for _ in 0..<Self.mostPieces {
            guard let size = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
            guard size > 0 else {
                // The last one may lack its end.
                if isWithinImage { count += 1 }
                if count == 0 { return nil }
                return
            }
            for byte in piece.prefix(size) { take(byte) }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .outside: if byte == 0xFF { state = .marker }
        case .marker: begin(byte)
        case .length(let isScan): state = .lowLength(high: Int(byte), isScan: isScan)
        case .lowLength(let high, let isScan):
            let rest = (high << 8) + Int(byte) - 2
            state = rest > 0 ? .segment(rest: rest, isScan: isScan) : isScan ? .bits : .outside
        case .segment(1, let isScan): state = isScan ? .bits : .outside
        case .segment(let rest, let isScan): state = .segment(rest: rest - 1, isScan: isScan)
        case .bits: if byte == 0xFF { state = .bitsMarker }
        case .bitsMarker where byte == 0 || (0xD0...0xD7).contains(byte): state = .bits
        case .bitsMarker: begin(byte)
        }
    }

    /// A marker's second byte (ITU-T T.81, table B.1).
    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0xFF: break
        case 0xD8: (isWithinImage, state) = (true, .outside)
        case 0xD9:
            if isWithinImage { count += 1 }
            (isWithinImage, state) = (false, .outside)
        case 0, 1, 0xD0...0xD7: state = .outside
        default: state = .length(isScan: byte == 0xDA)
        }
    }
}
