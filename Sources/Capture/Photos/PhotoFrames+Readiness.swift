import Threads

/// Whether a photo can be taken of a session's frames.
extension PhotoFrames {
    var readiness: AsyncStream<PhotoReadiness> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PhotoReadiness.self, bufferingPolicy: .bufferingNewest(1))
        let key = changes.add { continuation.yield($0) }
        continuation.onTermination = { [changes] _ in changes.remove(key) }
        continuation.yield(current)
        return stream
    }

    private var current: PhotoReadiness {
        let held = space.held
        return state.withLock { state in
            guard source.current != nil, state.ring.newest != nil else { return .notReady }
            return held < state.limit ? .ready : .busy(waiting: held)
        }
    }

    func tell() {
        let new = current
        let isNew = told.withLock { told in
            defer { told = new }
            return told != new
        }
        if isNew { changes.send(new) }
    }
}
