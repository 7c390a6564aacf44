import Errors
import GStreamer
import MediaTypes
import Threads

/// Requests for frames, from when they are made until their last frame or the reason why none comes.
extension PhotoFrames {
    /// Asks for frames that follow each other, beginning with the one of an instant.
    ///
    /// - Parameters:
    ///   - time: running time.
    ///   - takesOriginal: whether the camera's own JPEG will do, and is preferred.
    /// - Returns: the frames; `nil` where as many are held as may be. They end with an error where none come.
    /// - Throws: ``RushesError`` if there is no camera.
    func ask(at time: MediaTime, count: Int, takesOriginal: Bool) throws -> Frames? {
        let (frames, continuation) = Frames.makeStream()
        let asked = try state.withLock { state -> (number: Int, limit: MediaTime)? in
            guard let input = source.current else {
                throw RushesError(.notRunning, "No camera is running to take a photo with; start the session.")
            }
            guard space.held < state.limit else { return nil }
            let number = state.ring.ask(at: time, count: count)
            state.requests[number] = Request(
                continuation: continuation, takesOriginal: takesOriginal, place: space.take())
            let rate = input.plan.rate ?? state.ring.newest?.frame.caps.first?["framerate"]?.fractionValue
            deliver(&state, input)
            return (number, 2 * (rate ?? Fraction(1)).frameDuration + Self.delay)
        }
        guard let asked else { return nil }
        let timer = Task { [weak self] in
            while !Task.isCancelled {
                try await Task.sleep(for: Duration(asked.limit))
                self?.look(at: asked.number, limit: asked.limit)
            }
        }
        continuation.onTermination = { [weak self] end in
            timer.cancel()
            // What is finished here is finished under the lock.
            if case .cancelled = end { self?.drop(asked.number) }
        }
        tell()
        return frames
    }

    /// A frame is under way for less than this, on top of two frames' duration.
    private static let delay: MediaTime = 250 * .millisecond

    /// Looks whether frames still come for a request.
    private func look(at number: Int, limit: MediaTime) {
        let silent = state.withLock { state -> (Frames.Continuation, String)? in
            guard let request = state.requests[number], let input = source.current else { return nil }
            if let settled = state.ring.settle(number, limit: limit) {
                hand(settled, &state, input)
                return nil
            }
            guard (input as? VideoFeed)?.isSilent(for: limit) ?? (input.state != .running) else { return nil }
            state.requests[number] = nil
            state.ring.cancel(number)
            return (request.continuation, input.name)
        }
        guard let (continuation, name) = silent else { return }
        continuation.finish(
            throwing: RushesError(
                .deviceSilent, on: name,
                "\(name) is delivering no frames, so there is no photo; is it covered or unplugged?"))
    }

    private func drop(_ number: Int) {
        state.withLock { state in
            state.requests[number] = nil
            state.ring.cancel(number)
        }
    }
}
