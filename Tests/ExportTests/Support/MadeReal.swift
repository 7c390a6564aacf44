import Foundation
import Testing

/// RealMedia as ffmpeg writes it, changed in its bytes.
enum MadeReal {
    /// - Parameter data: a file with one stream.
    /// - Returns: the same with each packet at twice its time.
    static func slowed(_ data: Data) throws -> Data {
        var bytes = [UInt8](data)
        let chunk = try #require(bytes.firstRange(of: Array("DATA".utf8))).lowerBound
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        // Behind the head of the chunk; a packet has a version, its size, the stream's number and the time in milliseconds.
        var place = chunk + 18
        let end = min(bytes.count, chunk + number(chunk + 4, 4))
        while place + 12 <= end, number(place + 2, 2) >= 12 {
            let time = UInt32(2 * number(place + 6, 4))
            withUnsafeBytes(of: time.bigEndian) { bytes.replaceSubrange(place + 6..<place + 10, with: $0) }
            place += number(place + 2, 2)
        }
        return Data(bytes)
    }
}
