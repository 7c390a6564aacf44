package import Errors
import Foundation
package import GStreamer
package import Imaging
package import MediaTypes

/// Draws when frames were taken into their lower left corners. One thread at a time may use it.
package struct StampPainter: Sendable {
    private let format: String
    private let renderer: TextRenderer
    private var latest: (text: String, letters: Int, stamp: TextStamp?)?
    /// Whether a text was wider than its frame, or than can be drawn.
    package private(set) var isCut = false

    /// Letters are so high, as a part of the frame's shorter side: those of one that stands upright are no wider than of one that lies.
    private static let height = 0.04
    /// From the frame's edges to the text, likewise.
    private static let margin = 0.02

    /// - Parameter format: as `date` and `strftime` have it: `%F %R`.
    package init(_ format: String, _ renderer: TextRenderer) { (self.format, self.renderer) = (format, renderer) }

    /// Draws into a frame; one that others hold is copied first. Blocks for a text that has changed, at most a few seconds.
    ///
    /// - Throws: ``GStreamerError`` without memory.
    package mutating func draw(_ moment: StampMoment, into buffer: inout Buffer, _ frame: ComposedFormat) throws {
        let size = frame.image.size
        guard let stamp = stamp(moment, in: size) else { return }
        let margin = Self.margin(in: size)
        try buffer.withMutableView(frame) { stamp.draw(into: $0, x: margin, y: size.height - margin - stamp.height) }
    }

    /// What is drawn into a frame of a size; `nil` where nothing is.
    package mutating func stamp(_ moment: StampMoment, in size: VideoSize) -> TextStamp? {
        let text = moment.text(format)
        let letters = max(8, Int(Double(min(size.width, size.height)) * Self.height))
        if latest?.text != text || latest?.letters != letters {
            let drawn = renderer.stamp(text, letters: letters)
            latest = (text, letters, drawn?.stamp)
            isCut = isCut || drawn?.isCut ?? false
        }
        if let stamp = latest?.stamp { isCut = isCut || Self.margin(in: size) + stamp.width > size.width }
        return latest?.stamp
    }

    private static func margin(in size: VideoSize) -> Int { Int((Double(size.height) * margin).rounded()) }

    /// - Throws: ``RushesError`` where nothing would be drawn.
    package static func check(_ format: String, _ moment: StampMoment) throws(RushesError) {
        guard moment.text(format).trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return }
        throw RushesError(
            .invalidSettings,
            "Nothing would be drawn of such a \(Term.stamp); give it a format such as '%F %R', of one line.")
    }

    /// What is said where only a later text is too wide.
    package static var cutNote: String { "The \(Term.stamp) is wider than some frames, and is cut off there." }

    /// For a text that does not fit.
    package static var cut: RushesError {
        RushesError(.invalidSettings, "The \(Term.stamp) is wider than the frames are; give it a shorter one.")
    }
}
