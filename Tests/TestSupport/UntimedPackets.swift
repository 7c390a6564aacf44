/// A program stream of ffmpeg's, MPEG-2's, whose packets say neither when frames are shown nor when they are decoded.
public enum UntimedPackets {
    public static func applied(to stream: [UInt8]) -> [UInt8] {
        var stream = stream
        let heads: Set<[UInt8]> = [[0, 0, 1, 0xE0], [0, 0, 1, 0xC0]]
        for place in stream.indices.dropLast(9)
        where heads.contains(Array(stream[place..<place + 4])) && stream[place + 6] & 0xC0 == 0x80 {
            // The flags of what the head tells (ISO/IEC 13818-1, 2.4.3.7), and all of that becomes stuffing.
            stream[place + 7] = 0
            for index in place + 9..<place + 9 + Int(stream[place + 8]) { stream[index] = 0xFF }
        }
        return stream
    }
}
