package import LiveActivity

/// What somebody asks of a batch.
package enum BatchRequest: Sendable, Hashable {
    /// Of all of it.
    case batch(ActivityControl)
    /// Of one of its items.
    case item(Int, ActivityControl)
}

extension Batch {
    /// Whether the whole batch is held.
    package var isPaused: Bool { queue.isPaused }
    /// Says that no more files will be added: the batch ends with the last one.
    public func close() { handle(.close) }
    /// Begins no more files and completes those that run.
    public func stop() { handle(.stop) }
    /// Pauses what runs and begins no more. With a number, from 0, pauses that item alone, which is not begun if it waits.
    public func pause(item: Int? = nil) { handle(item.map { .pauseItem($0) } ?? .pause) }
    /// Resumes what ``pause(item:)`` has paused.
    public func resume(item: Int? = nil) { handle(item.map { .resumeItem($0) } ?? .resume) }
    /// Cancels what runs and begins no more; the batch can be resumed later. With a number, cancels that item alone.
    public func cancel(item: Int? = nil) { handle(item.map { .cancelItem($0) } ?? .cancel) }

    /// Does what somebody who watches has asked for. What only recordings take is not offered, and ignored.
    package func take(_ request: BatchRequest) {
        switch request {
        case .batch(.cancel): cancel()
        case .batch(.stop): stop()
        case .batch(.pause): pause()
        case .batch(.resume): resume()
        case .item(let item, .pause): pause(item: item)
        case .item(let item, .resume): resume(item: item)
        case .item(let item, .cancel), .item(let item, .stop): cancel(item: item)
        case .batch, .item: break  // The others are not offered.
        }
    }
}
