import Composition
import GStreamer
import Imaging
import MediaTypes

/// Shows a part of each frame as large as the whole, a part that moves from the first frame to the last.
///
/// It begins and ends slowly, and goes by parts of pixels: nothing jerks, however slow it is.
struct PanFilter: Sendable {
    private struct Memory: @unchecked Sendable {
        // One thread at a time pulls, and nobody else has it.
        let converter = FrameConverter()
        let pool: FramePool
        let caps: Caps
    }

    private let pan: TimelapseLook.Pan
    private let frameCount: Int
    private var shown = 0
    private var memory: Memory?

    init(_ pan: TimelapseLook.Pan, frameCount: Int) { (self.pan, self.frameCount) = (pan, frameCount) }

    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: TimelapseFrame) throws -> TimelapseFrame {
        if memory?.caps != frame.format.caps {
            memory = Memory(
                pool: try FramePool(frame.format.caps, frame.format.layout), caps: frame.format.caps)
        }
        guard let memory, var buffer = memory.pool.buffer() else {
            throw GStreamerError(
                element: "pan", message: "there is not enough memory for frames of \(frame.format.image.size)")
        }
        let crop = area(of: shown).crop(in: frame.format.image.size)
        shown += 1
        try buffer.withMutableView(frame.format) { target in
            try frame.buffer.withView(frame.format) { try memory.converter.convert($0, crop: crop, to: target) }
        }
        return frame.with(buffer)
    }

    /// What is shown of a frame of a number.
    func area(of number: Int) -> FrameArea {
        let share = frameCount > 1 ? min(1, Double(number) / Double(frameCount - 1)) : 1
        // Smoothstep: no speed at either end.
        return pan.begin.moved(to: pan.end, by: share * share * (3 - 2 * share))
    }
}

extension FrameArea {
    /// In pixels of a frame.
    func crop(in size: VideoSize) -> CropRectangle {
        let (frameWidth, frameHeight) = (Double(size.width), Double(size.height))
        return CropRectangle(
            x: x * frameWidth, y: y * frameHeight, width: width * frameWidth, height: height * frameHeight)
    }
}
