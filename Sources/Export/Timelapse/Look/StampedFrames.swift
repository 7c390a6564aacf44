import Composition
import Foundation
import GStreamer
import Imaging
import MediaTypes

/// Draws when each frame was taken into its lower left corner.
struct StampedFrames: Sendable {
    private let format: String
    private let renderer: TextRenderer
    /// Seconds from 1970 on of the clock at that place, by the time in the movie; nil where nobody knows.
    private let clock: @Sendable (MediaTime) -> Double?
    private var latest: (text: String, stamp: TextStamp?)?

    /// Letters are so high, as a part of the frame.
    private static let height = 0.04
    /// From the frame's edges to the text, likewise.
    private static let margin = 0.02

    /// - Parameter format: as `date` and `strftime` have it: `%F %R`.
    init(_ format: String, _ renderer: TextRenderer, clock: @escaping @Sendable (MediaTime) -> Double?) {
        (self.format, self.renderer, self.clock) = (format, renderer, clock)
    }

    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: LookedFrame) throws -> LookedFrame {
        guard let time = frame.time, let seconds = clock(time) else { return frame }
        let size = frame.format.image.size
        let text = Self.text(format, seconds)
        if latest?.text != text {
            let letters = max(8, Int(Double(size.height) * Self.height))
            latest = (text, renderer.stamp(text, letters: letters))
        }
        guard let stamp = latest?.stamp else { return frame }
        var buffer = frame.buffer
        let margin = Int((Double(size.height) * Self.margin).rounded())
        try buffer.withMutableView(frame.format) {
            stamp.draw(into: $0, x: margin, y: size.height - margin - stamp.height)
        }
        return frame.with(buffer)
    }

    /// The time in words, in the zone in which it was told.
    static func text(_ format: String, _ seconds: Double) -> String {
        var moment = time_t(seconds.rounded(.down))
        var parts = tm()
        gmtime_r(&moment, &parts)
        var bytes = [CChar](repeating: 0, count: 256)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
