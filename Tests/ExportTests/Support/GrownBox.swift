import Foundation
import Testing

/// A movie with more in one of its boxes, as no tool here writes it.
enum GrownBox {
    /// - Parameters:
    ///   - boxes: the first of each name, each in the one before; what they lie in has to be the last of the file.
    /// - Returns: the same with more bytes at the end of the last one.
    static func adding(_ more: [UInt8], to boxes: [String], in data: Data) throws -> Data {
        var (bytes, begin, end) = ([UInt8](data), 0, 0)
        for box in boxes {
            let place = try #require(bytes[begin...].firstRange(of: Array(box.utf8)), "\(box)").lowerBound
            let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            let grown = UInt32(size + more.count).bigEndian
            withUnsafeBytes(of: grown) { bytes.replaceSubrange(place - 4..<place, with: $0) }
            (begin, end) = (place, place - 4 + size)
        }
        bytes.insert(contentsOf: more, at: end)
        return Data(bytes)
    }
}
