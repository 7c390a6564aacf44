import Errors
import GStreamer
import Imaging
import MediaTypes

/// The frames that are looked at.
struct LetterboxFrames: Sendable {
    private(set) var detector: LetterboxDetector
    private let size: VideoSize
    /// Whether rows belong to fields.
    private let hasFields: Bool
    /// Whether a frame has another size than the first one.
    private var changesSize = false

    init(_ first: Sample) throws {
        guard let caps = first.caps, let layout = VideoFrameLayout(caps), let color = Colorimetry(caps) else {
            throw RushesError(.badInput, "The decoder does not say what its frames are.")
        }
        size = layout.size
        hasFields = caps.first?["interlace-mode"]?.stringValue ?? "progressive" != "progressive"
        detector = LetterboxDetector(size: size, isFullRange: color.isFullRange)
    }

    mutating func look(at sample: Sample) throws {
        guard let buffer = sample.buffer, let caps = sample.caps, let layout = VideoFrameLayout(caps) else { return }
        guard layout.size == size else {
            changesSize = true
            return
        }
        try buffer.withPlanes(layout) { planes in
            guard let luma = planes.first else { return }
            detector.look(at: luma.base.assumingMemoryBound(to: UInt8.self), bytesPerRow: luma.bytesPerRow)
        }
    }

    var found: LetterboxSearch.Found {
        if changesSize { return .init(note: "The frames change their size, so no black bars are cut off.") }
        guard let kept = detector.kept(rows: hasFields ? 4 : 2) else {
            let reason = detector.area == nil ? "The frames are all black" : "There are no black bars"
            return .init(note: "\(reason), so nothing is cut off.")
        }
        let crop = CropArea(x: kept.x, y: kept.y, size: VideoSize(kept.width, kept.height))
        return .init(
            crop: crop,
            note: "Black bars are cut off the \(size) frames: \(kept.width)x\(kept.height)+\(kept.x)+\(kept.y) is left."
        )
    }
}
