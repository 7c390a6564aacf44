import Composition
import GStreamer
import Imaging

/// Makes one frame of several.
struct BlendFilter: Sendable {
    private struct Memory: @unchecked Sendable {
        // One thread at a time pulls, and nobody else has it.
        let mean: FrameMean
        let pool: FramePool
        let caps: Caps
    }

    private var memory: Memory?

    /// Adds a frame; one of another format than those before is left out.
    mutating func add(_ frame: TimelapseFrame) {
        if memory.map({ $0.caps != frame.format.caps && $0.mean.count == 0 }) ?? true,
            let pool = try? FramePool(frame.format.caps, frame.format.layout)
        {
            memory = Memory(mean: FrameMean(frame.format.image), pool: pool, caps: frame.format.caps)
        }
        guard let memory, memory.caps == frame.format.caps else { return }
        try? frame.buffer.withView(frame.format) { memory.mean.add($0) }
    }

    /// The mean of all that were added, at a frame's time; nil without memory.
    mutating func take(like frame: TimelapseFrame) -> TimelapseFrame? {
        guard let memory, memory.mean.count > 1, memory.caps == frame.format.caps, var buffer = memory.pool.buffer(),
            (try? buffer.withMutableView(frame.format, { memory.mean.take(into: $0) })) != nil
        else {
            memory?.mean.clear()
            return frame
        }
        return frame.with(buffer)
    }
}
