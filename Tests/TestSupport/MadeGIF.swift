import Foundation

/// A GIF of four colors, written pixel by pixel so that each of its blocks is known.
public struct MadeGIF: Sendable {
    /// An image in it.
    public struct Frame: Sendable {
        /// Pixels from the left and from the top, width, height.
        public var area: (Int, Int, Int, Int)
        /// Of four, see ``MadeGIF/palette``.
        public var color: UInt8
        /// In hundredths of a second.
        public var delay: Int
        /// What becomes of it: 0 or 1 stays, 2 goes, 3 gives back what was before.
        public var disposal: UInt8 = 0
        /// Whether every other pixel is transparent.
        public var isTransparent = false

        /// One color in a part of the frame.
        public init(
            _ area: (Int, Int, Int, Int), color: UInt8, delay: Int, disposal: UInt8 = 0, isTransparent: Bool = false
        ) {
            (self.area, self.color, self.delay) = (area, color, delay)
            (self.disposal, self.isTransparent) = (disposal, isTransparent)
        }
    }

    /// Black, red, green, blue.
    public static let palette: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    /// All of it.
    public private(set) var bytes: [UInt8]
    /// Where each frame's last byte lies.
    public private(set) var ends: [Int] = []

    /// - Parameters:
    ///   - repeats: 0 for ever; nil says nothing.
    public init(width: Int, height: Int, repeats: Int? = nil, _ frames: [Frame]) {
        bytes = Array("GIF89a".utf8) + Self.number(width) + Self.number(height) + [0x91, 0, 0] + Self.palette
        if let repeats {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.number(repeats) + [0]
        }
        for frame in frames {
            bytes += [0x21, 0xF9, 4, frame.disposal << 2 | (frame.isTransparent ? 1 : 0)]
            bytes += Self.number(frame.delay) + [0, 0]
            let (x, y, width, height) = frame.area
            bytes += [0x2C] + [x, y, width, height].flatMap(Self.number) + [0, 2]
            let data = Self.pixels(frame)
            for start in stride(from: 0, to: data.count, by: 255) {
                let block = data[start..<min(start + 255, data.count)]
                bytes += [UInt8(block.count)] + block
            }
            bytes.append(0)
            ends.append(bytes.count - 1)
        }
        bytes.append(0x3B)
    }

    /// As LZW without a dictionary: each pixel behind the code that empties it. Color 0 is the transparent one.
    private static func pixels(_ frame: Frame) -> [UInt8] {
        var (data, held, bits) = ([UInt8](), 0, 0)
        func put(_ code: Int) {
            held |= code << bits
            bits += 3
            while bits >= 8 {
                data.append(UInt8(held & 0xFF))
                (held, bits) = (held >> 8, bits - 8)
            }
        }
        for y in 0..<frame.area.3 {
            for x in 0..<frame.area.2 {
                put(4)
                put(frame.isTransparent && (x + y) % 2 == 0 ? 0 : Int(frame.color))
            }
        }
        put(5)
        if bits > 0 { data.append(UInt8(held & 0xFF)) }
        return data
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
}
