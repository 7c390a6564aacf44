import MediaTypes

/// A four-character code: the type of a box, a sample entry, a handler or a brand (ISO/IEC 14496-12 section 4.2).
package struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The four bytes, big-endian.
    package var rawValue: UInt32

    /// - Parameter rawValue: the four bytes, big-endian.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// Takes four characters of ISO 8859-1, as in `"moov"` or `"©xyz"`; shorter text is filled up with spaces.
    package init(stringLiteral value: StaticString) {
        self.init(value.description)
    }

    init(_ text: String) {
        var scalars = text.unicodeScalars.makeIterator()
        rawValue = (0..<4).reduce(0) { code, _ in
            code << 8 | UInt32(UInt8(truncatingIfNeeded: scalars.next()?.value ?? 0x20))
        }
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters; bytes outside of printable ISO 8859-1 are written as `\xNN`.
    package var description: String {
        (0..<4).map { index in
            let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * index))
            let isPrintable = (0x20...0x7E).contains(byte) || byte >= 0xA1
            return isPrintable ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
        }.joined()
    }
}

extension FourCC {
    /// What ffprobe calls the codec of a sample entry of this type; the type itself where it is not known.
    var codecName: String { CodecIdentifiers(sampleEntry: description)?.name ?? description.trimmingSpaces }
}

extension String {
    var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
