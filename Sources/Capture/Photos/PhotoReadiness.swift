import Threads

/// Whether a photo that is asked for now is of this instant: for a shutter button.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PhotoReadiness: Sendable, Equatable {
    /// It is.
    case ready
    /// As many frames wait to be written as may, so many; it is taken as soon as one of them is.
    case busy(waiting: Int)
    /// No camera runs, or none of its frames has come yet.
    case notReady
}

/// How many frames wait to be encoded as photos, so that a burst does not take all memory.
final class PhotoSpace: Sendable {
    /// A frame's; given back when nobody holds it any more.
    final class Place: Sendable {
        private let space: PhotoSpace

        fileprivate init(_ space: PhotoSpace) { self.space = space }
        deinit { space.giveBack() }
    }

    private struct State {
        var held = 0
        var onRelease: @Sendable () -> Void = {}
    }
    private let state = Locked(State())

    var held: Int { state.withLock { $0.held } }

    /// - Parameter body: called soon after a place was given back.
    func onRelease(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onRelease = body } }

    func take() -> Place {
        state.withLock { $0.held += 1 }
        return Place(self)
    }

    private func giveBack() {
        let body = state.withLock { state in
            state.held -= 1
            return state.onRelease
        }
        // Whoever lets go of it may hold a lock that this needs.
        Task { body() }
    }

    /// Bytes of raw frames: twenty of 1080p.
    private static let mostBytes = 64 << 20

    /// Frames that may be held at the same time.
    static func limit(frameBytes: Int) -> Int { max(2, min(32, mostBytes / max(1, frameBytes))) }
}
