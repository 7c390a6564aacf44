package import GStreamer
import Threads

extension MovieWriter {
    /// Lets the closure change each frame as its encoder gets it, in the encoder's own format and on its thread. What it throws is this
    /// movie's ``failure``. Once, before the start.
    package func editFrames(_ edit: @escaping @Sendable (Buffer, Caps) throws -> Buffer) {
        video?.prepare { [editFailure] pipeline in
            let pad = pipeline.bin.element(named: "video-encoder")?.pad("sink")
            _ = pad?.addBufferEditor { buffer, caps in
                guard let caps = caps() else { return }
                do { buffer = try edit(buffer, caps) } catch { editFailure.withLock { $0 = $0 ?? error } }
            }
        }
    }
}
