import Foundation

/// What an ICC profile says of a photo's colors (ICC.1:2022): whether they are other ones than sRGB's, and what they are called.
struct ColorProfile: Sendable, Hashable {
    /// As people know it: "Display P3".
    let name: String

    /// sRGB's red, green and blue, adapted to the D50 of profiles: X, Y, Z.
    private static let usual = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
    /// What profiles of the same colors differ by, as they are rounded and adapted in several ways.
    private static let tolerance = 0.012
    private static let headerSize = 128

    /// - Parameter bytes: a profile from its beginning on; its end may be missing.
    /// - Returns: nil for the colors of sRGB, those of gray photos, and what is no profile.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headerSize + 4, bytes[36..<40].elementsEqual("acsp".utf8),
            bytes[16..<20].elementsEqual("RGB ".utf8)
        else { return nil }
        let tags = Self.tags(bytes)
        let primaries = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0].flatMap(Self.point) }
        // A table instead of three colors is that of a device.
        guard primaries.count == 3 else { return nil }
        let isUsual = zip(primaries, Self.usual).allSatisfy { own, usual in
            zip(own, usual).allSatisfy { abs($0 - $1) < Self.tolerance }
        }
        guard !isUsual else { return nil }
        name = tags["desc"].flatMap(Self.text) ?? "another color space"
    }

    private static func tags(_ bytes: [UInt8]) -> [String: ArraySlice<UInt8>] {
        let count = min(number(bytes[headerSize..<headerSize + 4]), 100)
        var tags: [String: ArraySlice<UInt8>] = [:]
        for index in 0..<count {
            let start = headerSize + 4 + 12 * index
            guard start + 12 <= bytes.count else { break }
            let (offset, size) = (number(bytes[start + 4..<start + 8]), number(bytes[start + 8..<start + 12]))
            guard offset < bytes.count, size <= bytes.count - offset else { continue }
            tags[String(decoding: bytes[start..<start + 4], as: UTF8.self)] = bytes[offset..<offset + size]
        }
        return tags
    }

    /// Three numbers of 16 bits before the point and 16 behind it.
    private static func point(_ tag: ArraySlice<UInt8>) -> [Double]? {
        guard tag.count >= 20, tag.prefix(4).elementsEqual("XYZ ".utf8) else { return nil }
        return (0..<3).map { index in
            let bits = UInt32(truncatingIfNeeded: number(tag.dropFirst(8 + 4 * index).prefix(4)))
            return Double(Int32(bitPattern: bits)) / 65536
        }
    }

    /// One line: of the second version in ASCII, of the fourth in UTF-16, of which the first language is taken.
    private static func text(_ tag: ArraySlice<UInt8>) -> String? {
        let name: String
        switch String(decoding: tag.prefix(4), as: UTF8.self) {
        case "desc" where tag.count > 12:
            let count = min(number(tag.dropFirst(8).prefix(4)), tag.count - 12)
            name = String(decoding: tag.dropFirst(12).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
        case "mluc" where tag.count >= 28:
            let (count, offset) = (number(tag.dropFirst(20).prefix(4)), number(tag.dropFirst(24).prefix(4)))
            guard offset <= tag.count, count <= tag.count - offset else { return nil }
            name = String(data: Data(tag.dropFirst(offset).prefix(count)), encoding: .utf16BigEndian) ?? ""
        default: return nil
        }
        let words = name.filter { !$0.isNewline && $0 != "\0" }.trimmingCharacters(in: .whitespaces)
        return words.isEmpty ? nil : words
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension ColorProfile {
    /// Of a JPEG, whose first application segment of a profile has what is asked for.
    ///
    /// - Parameter head: the beginning of the file.
    init?(jpeg head: [UInt8]) {
        let mark = Array("ICC_PROFILE\0\u{1}".utf8)
        var place = 2
        while place + 4 <= head.count, head[place] == 0xFF, head[place + 1] != 0xDA {
            let end = place + 2 + Int(head[place + 2]) << 8 + Int(head[place + 3])
            guard end > place + 3, end <= head.count else { return nil }
            let content = head[place + 4..<end]
            if head[place + 1] == 0xE2, content.starts(with: mark) {
                // Behind its number there is how many there are.
                self.init(Array(content.dropFirst(mark.count + 1)))
                return
            }
            place = end
        }
        return nil
    }
}
