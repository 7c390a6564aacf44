import Threads
import CGStreamer

/// Reads a pipeline's bus, once, for any number of listeners.
///
/// Messages arrive by the bus's sync handler on the thread that posts them; no thread polls. Because there is only one
/// reader, listeners cannot take messages from each other. The first error and the end of the stream are kept, so that
/// who listens late still learns of them.
package final class Bus: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<BusMessage>.Continuation] = [:]
        var nextListener = 0
        var failure: BusMessage?
        var end: BusMessage?
        var isClosed = false
        /// Of the streaming threads that begin from now on.
        var priority: ThreadPriority?
    }

    private final class Broadcaster: Sendable {
        let state = Locked(State())

        func post(_ message: BusMessage) {
            switch message.content {
            case .threadEntered:
                state.withLock { $0.priority }?.raise()
                return
            case .threadLeft:
                // GLib gives it to others.
                if state.withLock({ $0.priority }) != nil { ThreadPriority.reset() }
                return
            default: break
            }
            let listeners = state.withLock { state in
                switch message.content {
                case .error: state.failure = state.failure ?? message
                case .endOfStream: state.end = state.end ?? message
                default: break
                }
                return Array(state.listeners.values)
            }
            // Outside the lock: yielding takes the listening task's own lock, and a task that is cancelled holds that
            // one while it comes here to take its listener out.
            for listener in listeners { listener.yield(message) }
        }

        func remove(_ listener: Int) {
            // Its unread messages go after the lock is free.
            _ = state.withLock { $0.listeners.removeValue(forKey: listener) }
        }
    }

    private let broadcaster = Broadcaster()
    private let reference: ObjectReference

    init(of pipeline: Element) {
        // A pipeline always has a bus; a plain element gets one here.
        let bus: UnsafeMutablePointer<GstBus> = gst_element_get_bus(pipeline.pointer) ?? gst_bus_new()
        self.reference = ObjectReference(adopting: bus)
        install(on: bus)
    }

    /// Reads a bus that is not a pipeline's, such as a device provider's.
    init(adopting bus: UnsafeMutablePointer<GstBus>) {
        reference = ObjectReference(adopting: bus)
        install(on: bus)
    }

    private func install(on bus: UnsafeMutablePointer<GstBus>) {
        // The handler holds the broadcaster, not this object, so the bus never keeps its own reader alive.
        let box = ClosureBox<@Sendable (BusMessage) -> Void> { [broadcaster] in broadcaster.post($0) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                guard let message else { return GST_BUS_DROP }
                ClosureBox<@Sendable (BusMessage) -> Void>.body(data)?(BusMessage(message))
                // With "drop" the message belongs to the handler.
                gst_mini_object_unref(UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
                return GST_BUS_DROP
            }, box.retained(), releaseClosureBox)
    }

    /// Raises the streaming threads of its pipeline, before that starts.
    func raiseThreads(to priority: ThreadPriority) { broadcaster.state.withLock { $0.priority = priority } }

    /// All messages from now on, after the first error and the end of stream if they have come already.
    ///
    /// The sequence ends when the pipeline goes. Unbounded: a listener that stops reading must drop the sequence.
    package func messages() -> AsyncStream<BusMessage> {
        let (stream, continuation) = AsyncStream.makeStream(of: BusMessage.self)
        broadcaster.state.withLock { state in
            if let failure = state.failure { continuation.yield(failure) }
            if let end = state.end { continuation.yield(end) }
            // No handler is set yet, so this calls nothing.
            guard !state.isClosed else { return continuation.finish() }
            let key = state.nextListener
            state.nextListener += 1
            state.listeners[key] = continuation
            // Yielding never ends a stream, so this never runs while the lock is held.
            continuation.onTermination = { [broadcaster] _ in broadcaster.remove(key) }
        }
        return stream
    }

    /// The first error posted, or `nil`.
    package var failure: GStreamerError? {
        broadcaster.state.withLock { state in
            if case .error(let error)? = state.failure?.content { error } else { nil }
        }
    }

    /// Ends all listeners' sequences. A message that is being posted meanwhile reaches them or not, but nothing waits
    /// for it: the bus releases the handler when its last call returns.
    func close() {
        gst_bus_set_sync_handler(reference.cast(), nil, nil, nil)
        let listeners = broadcaster.state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
