public import Foundation

/// Flash video that no tool here writes.
public enum MadeFLV {
    /// Ten key frames of VP6, of twelve by ten blocks of 16 pixels with nothing in them, 25 a second (Adobe Flash Video File Format Specification
    /// 10.1, annex E).
    ///
    /// - Parameter hidden: columns at the right, and rows at the bottom, that are not shown.
    public static func vp6(hiding hidden: (columns: UInt8, rows: UInt8)) -> Data {
        // Quantizer, version and filter; the rows and columns that are coded, then those that are shown.
        let frame = Data([20 << 1, 6 << 3 | 6, 10, 12, 10, 12]) + Data(count: 600)
        var bytes = Data("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0]
        for index in 0..<10 {
            // A key frame of VP6.
            let data = Data([0x14, hidden.columns << 4 | hidden.rows]) + frame
            let tag = Data([Data([9]), number(data.count, 3), number(index * 40, 3), Data(count: 4), data].joined())
            bytes += tag + number(tag.count, 4)
        }
        return bytes
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
