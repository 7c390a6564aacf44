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
    public var isPaused: Bool { queue.isPaused }
    /// No more files come: it ends with the last one.
    public func close() { handle(.close) }
    /// Holds what runs and begins no more.
    public func pause() { handle(.pause) }
    /// Goes on after ``pause()``.
    public func resume() { handle(.resume) }
    /// Begins no more files and completes those that run.
    public func stop() { handle(.stop) }
    /// Gives up what runs and begins no more; what is left can be gone on with.
    public func cancel() { handle(.cancel) }
    /// Holds one item, from 0; one that waits is not begun.
    public func pause(item: Int) { handle(.pauseItem(item)) }
    /// Lets an item go on that was held.
    public func resume(item: Int) { handle(.resumeItem(item)) }
    /// Gives one item up.
    public func cancel(item: Int) { handle(.cancelItem(item)) }

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
