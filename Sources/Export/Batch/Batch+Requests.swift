public import LiveActivity

/// What somebody asks of a batch.
public enum BatchRequest: Sendable, Hashable {
    case batch(ActivityControl)
    /// Of one of its items.
    case item(Int, ActivityControl)
}

extension Batch {
    public var isPaused: Bool { queue.isPaused }
    /// No more files come: it ends with the last one.
    public func close() { handle(.close) }
    public func pause() { handle(.pause) }
    public func resume() { handle(.resume) }
    /// Begins no more files and completes those that run.
    public func stop() { handle(.stop) }
    /// Gives up what runs and begins no more; what is left can be gone on with.
    public func cancel() { handle(.cancel) }
    public func pause(item: Int) { handle(.pauseItem(item)) }
    public func resume(item: Int) { handle(.resumeItem(item)) }
    public func cancel(item: Int) { handle(.cancelItem(item)) }

    public func take(_ request: BatchRequest) {
        switch request {
        case .batch(.cancel): cancel()
        case .batch(.stop): stop()
        case .batch(.pause): pause()
        case .batch(.resume): resume()
        case .item(let item, .pause): pause(item: item)
        case .item(let item, .resume): resume(item: item)
        case .item(let item, .cancel), .item(let item, .stop): cancel(item: item)
        case .batch(.mark), .item(_, .mark): break  // is not offered
        }
    }
}
