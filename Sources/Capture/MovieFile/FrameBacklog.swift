import Encoding
import GStreamer

/// How many frames may wait for the encoder before one is given up.
enum FrameBacklog {
    /// Seconds: what keeps a machine busy for a moment is over by then, and the audio's queues hold as much.
    static let seconds = 3.0
    /// Bytes, however much memory is free.
    static let most = 512_000_000
    /// So few are always held: each encoder takes some at once.
    static let fewest = 4

    /// - Parameters:
    ///   - rate: frames a second.
    ///   - frameBytes: of one frame.
    ///   - freeMemory: bytes; a quarter of them is used.
    static func limit(rate: Double, frameBytes: Int, freeMemory: Int64) -> Int {
        let room = min(Int64(most), max(0, freeMemory) / 4)
        let wanted = Int(min(10_000, (rate > 0 ? rate : 30) * seconds))
        return max(fewest, min(wanted, Int(room / Int64(max(1, frameBytes)))))
    }
}
