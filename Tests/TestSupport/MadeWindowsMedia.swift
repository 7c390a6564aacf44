public import Foundation

/// Windows Media that no tool here writes.
public enum MadeWindowsMedia {
    /// Adds a stream's extended properties to the header extension (Advanced Systems Format, sections 3.4 and 4.1), with an average time per frame
    /// that need not be true.
    ///
    /// - Parameter averageLength: seconds.
    /// - Returns: nil where the file has no header extension.
    public static func naming(averageLength: Int, ofStream number: Int, in file: Data) -> Data? {
        var bytes = file
        guard let extensions = bytes.firstRange(of: headerExtension)?.lowerBound else { return nil }
        let object = [
            extendedProperties, little(88, 8), Data(count: 48), little(number, 2), Data(count: 2),
            little(averageLength * 10_000_000, 8), Data(count: 4),
        ].reduce(Data(), +)
        // Behind the object's identifier and size, 18 bytes that are always the same, and the size of what it holds.
        bytes.insert(contentsOf: object, at: extensions + 46)
        for (place, count) in [(extensions + 16, 8), (extensions + 42, 4), (16, 8)] {
            let old = bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(place..<place + count, with: little(old + object.count, count))
        }
        return bytes
    }

    private static let headerExtension = Data([
        0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ])
    private static let extendedProperties = Data([
        0xCB, 0xA5, 0xE6, 0x14, 0x72, 0xC6, 0x32, 0x43, 0x83, 0x99, 0xA9, 0x69, 0x52, 0x06, 0x5B, 0x5A,
    ])

    private static func little(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
