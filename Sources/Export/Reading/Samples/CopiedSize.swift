import GStreamer
import Threads

/// Whether frames that are copied have one size: containers tell one for all of them, and not all muxers (qtmux, 1.22) refuse another.
final class CopiedSize: Sendable {
    private struct State {
        var first: [Int?]?
        var hasChanged = false
    }

    private let state = Locked(State())

    /// Whether the size of a frame that has passed differs from the first one's.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// - Parameter pad: where the encoded frames pass.
    init(of pad: Pad) {
        _ = pad.addBufferEditor { [state] _, caps in
            guard let format = caps()?.first else { return }
            let size = [format["width"]?.intValue, format["height"]?.intValue]
            guard size.allSatisfy({ $0 != nil }) else { return }
            state.withLock { state in
                state.hasChanged = state.hasChanged || size != state.first ?? size
                state.first = state.first ?? size
            }
        }
    }
}
