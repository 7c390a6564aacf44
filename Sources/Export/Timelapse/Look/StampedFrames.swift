import Composition
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes

/// Draws when each frame was taken into its lower left corner.
struct StampedFrames: Sendable {
    private let format: String
    private let renderer: TextRenderer
    /// By the time in the movie; nil where nobody knows.
    private let clock: @Sendable (MediaTime) -> Moment?
    private var latest: (text: String, stamp: TextStamp?)?
    /// Whether a text was wider than its frame, or than can be drawn.
    private(set) var isCut = false

    /// Letters are so high, as a part of the frame.
    private static let height = 0.04
    /// From the frame's edges to the text, likewise.
    private static let margin = 0.02

    /// - Parameter format: as `date` and `strftime` have it: `%F %R`.
    init(_ format: String, _ renderer: TextRenderer, clock: @escaping @Sendable (MediaTime) -> Moment?) {
        (self.format, self.renderer, self.clock) = (format, renderer, clock)
    }

    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: LookedFrame) throws -> LookedFrame {
        guard let time = frame.time, let moment = clock(time) else { return frame }
        let size = frame.format.image.size
        let text = moment.text(format)
        if latest?.text != text {
            let letters = max(8, Int(Double(size.height) * Self.height))
            let drawn = renderer.stamp(text, letters: letters)
            latest = (text, drawn?.stamp)
            isCut = isCut || drawn?.isCut ?? false
        }
        guard let stamp = latest?.stamp else { return frame }
        var buffer = frame.buffer
        let margin = Int((Double(size.height) * Self.margin).rounded())
        isCut = isCut || margin + stamp.width > size.width
        try buffer.withMutableView(frame.format) {
            stamp.draw(into: $0, x: margin, y: size.height - margin - stamp.height)
        }
        return frame.with(buffer)
    }

    /// - Throws: ``RushesError`` where nothing would be drawn.
    static func check(_ format: String, _ moment: Moment) throws(RushesError) {
        guard moment.text(format).trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return }
        throw RushesError(
            .invalidSettings,
            "Nothing would be drawn of such a \(Term.stamp); give it a format such as '%F %R', of one line.")
    }

    /// What is said where only a later text is too wide.
    static var cutNote: String { "The \(Term.stamp) is wider than some frames, and is cut off there." }

    /// For a text that does not fit.
    static var cut: RushesError {
        RushesError(.invalidSettings, "The \(Term.stamp) is wider than the frames are; give it a shorter one.")
    }
}
