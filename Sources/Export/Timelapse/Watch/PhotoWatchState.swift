package import SystemPackage

/// Which photos have come to a folder, and whether more are waited for: pure.
package struct PhotoWatchState: Sendable, Hashable {
    /// What ends it, whichever comes first; nothing: whoever waits.
    package struct Limits: Sendable, Hashable {
        /// Photos.
        package var count: Int?
        /// From the beginning on.
        package var duration: Duration?
        /// In which no photo came.
        package var idle: Duration?

        /// - Parameters:
        ///   - count: of photos.
        ///   - duration: from the beginning on.
        ///   - idle: in which no photo came.
        package init(count: Int? = nil, duration: Duration? = nil, idle: Duration? = nil) {
            (self.count, self.duration, self.idle) = (count, duration, idle)
        }
    }

    private let limits: Limits
    private let begin: SuspendingClock.Instant
    private var newest: SuspendingClock.Instant
    private var known: Set<FilePath> = []
    /// In the order in which they came.
    package private(set) var photos: [FilePath] = []

    /// - Parameters:
    ///   - limits: what ends it.
    ///   - now: the beginning.
    package init(_ limits: Limits, at now: SuspendingClock.Instant) {
        (self.limits, begin, newest) = (limits, now, now)
    }

    /// A photo is complete; one that was written again is no other one.
    package mutating func add(_ path: FilePath, at now: SuspendingClock.Instant) {
        guard !isOver(at: now) else { return }
        newest = now
        if known.insert(path).inserted { photos.append(path) }
    }

    /// Whether nothing more is waited for.
    package func isOver(at now: SuspendingClock.Instant) -> Bool {
        photos.count >= limits.count ?? .max || limits.duration.map { now - begin >= $0 } ?? false
            || limits.idle.map { now - newest >= $0 } ?? false
    }
}
