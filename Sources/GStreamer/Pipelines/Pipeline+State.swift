import CGStreamer
import Threads

extension Pipeline {
    /// Brings the pipeline to a state and waits until it is there.
    ///
    /// - Throws: ``GStreamerError``: what the failing element said, or that the time ran out. `CancellationError` once the
    ///   task is cancelled; the change goes on by itself.
    package func setState(_ state: ElementState, within limit: Duration = .seconds(10)) async throws {
        // The thread holds the pipeline itself, so that none goes while its state is still being changed.
        let outcome = await onOwnThread(
            "rushes-state", orAfter: limit, otherwise: GST_STATE_CHANGE_ASYNC, endsWithTask: true
        ) { self.changeState(to: state, within: limit) }
        switch outcome {
        case GST_STATE_CHANGE_FAILURE:
            throw await reason(within: .milliseconds(500))
                ?? GStreamerError(element: bin.element.path, message: "the change to \(state) failed")
        case GST_STATE_CHANGE_ASYNC:
            try Task.checkCancellation()
            throw bus.failure
                ?? GStreamerError(element: bin.element.path, message: "not \(state) after \(limit.secondsText) seconds")
        default: break
        }
    }

    private func changeState(to state: ElementState, within limit: Duration) -> GstStateChangeReturn {
        let element = bin.element
        guard element.setState(state) else { return GST_STATE_CHANGE_FAILURE }
        let limit = TimeLimit(limit)
        // A pipeline whose source fails while it waits for the first buffer stays "changing" for ever, so the wait is cut
        // into pieces between which an error on the bus is seen. The usual end of the change is seen at once.
        repeat {
            let outcome = gst_element_get_state(element.pointer, nil, nil, GstClockTime(waiting: .milliseconds(50)))
            guard outcome == GST_STATE_CHANGE_ASYNC else { return outcome }
            if bus.failure != nil { return GST_STATE_CHANGE_FAILURE }
        } while !limit.isOver
        return GST_STATE_CHANGE_ASYNC
    }

    /// Why a change failed. An element may fail first and say why from another thread, as rtspsrc does: it gets a moment.
    private func reason(within limit: Duration) async -> GStreamerError? {
        let messages = bus.messages()
        let told = AsyncSignal()
        let reader = Task {
            for await message in messages {
                guard case .error = message.content else { continue }
                return told.fire()
            }
        }
        _ = await told.wait(within: limit)
        reader.cancel()
        return bus.failure
    }

    /// Stops everything; gives up after the stated time and leaves a stuck driver to its own thread. True if it stopped.
    @discardableResult
    package func stop(within limit: Duration = .seconds(5)) async -> Bool {
        await onOwnThread("rushes-stop", orAfter: limit, otherwise: false) { self.bin.stop() }
    }

    /// Asks for a state without waiting for it; what fails is told on the bus. Blocks only as long as the elements do.
    package func begin(_ state: ElementState, within limit: Duration = .seconds(10)) async {
        let element = bin.element
        _ = await onOwnThread("rushes-state", orAfter: limit, otherwise: false) { element.setState(state) }
    }
}
