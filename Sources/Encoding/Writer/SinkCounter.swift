import GStreamer
import Synchronization

/// What has reached an element that writes a file by itself: how many bytes, and whether that was all.
final class SinkCounter: Sendable {
    private let count = Atomic<Int64>(0)

    init(_ sink: Element, onEnd: @escaping @Sendable () -> Void) {
        guard let pad = sink.pad("sink") else { return }
        _ = pad.addBufferProbe { [weak self] buffer in
            self?.count.add(Int64(buffer.byteCount), ordering: .relaxed)
            return .pass
        }
        _ = pad.addEndOfStreamProbe {
            onEnd()
            return .pass
        }
    }

    var bytes: Int64 { count.load(ordering: .relaxed) }
}
