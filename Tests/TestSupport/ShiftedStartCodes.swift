/// A transport stream of ffmpeg's whose packets begin with start codes of three bytes: the fourth, a zero, ends the packet before.
public enum ShiftedStartCodes {
    /// - Parameter number: of the video's packets.
    public static func applied(to stream: [UInt8], number: Int = 0x100) -> [UInt8] {
        var (stream, units) = (stream, [[Int]]())
        for place in stride(from: 0, to: stream.count, by: 188) {
            guard Int(stream[place + 1] & 0x1F) << 8 | Int(stream[place + 2]) == number, stream[place + 3] & 0x10 != 0
            else { continue }
            var begin = place + 4
            if stream[place + 3] & 0x20 != 0 { begin += 1 + Int(stream[begin]) }
            if stream[place + 1] & 0x40 != 0 {
                units.append([])
                begin += 9 + Int(stream[begin + 8])
            }
            guard !units.isEmpty else { continue }
            units[units.count - 1] += begin..<place + 188
        }
        for unit in units {
            precondition(unit.prefix(4).map { stream[$0] } == [0, 0, 0, 1], "no start code of four bytes")
            for (place, next) in zip(unit, unit.dropFirst()) { stream[place] = stream[next] }
            if let last = unit.last { stream[last] = 0 }
        }
        return stream
    }
}
