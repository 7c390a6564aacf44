package import SystemPackage

/// Which photos have come to a folder, and whether more are waited for: pure.
package struct PhotoWatchState: Sendable, Hashable {
    /// What ends it, whichever comes first; nothing: whoever waits.
    package struct Limits: Sendable, Hashable {
        /// Photos.
        package var count: Int?
        /// Seconds from the beginning on.
        package var duration: Double?
        /// Seconds in which no photo came.
        package var idle: Double?

        /// - Parameters:
        ///   - duration: in seconds.
        ///   - idle: in seconds.
        package init(count: Int? = nil, duration: Double? = nil, idle: Double? = nil) {
            (self.count, self.duration, self.idle) = (count, duration, idle)
        }
    }

    private let limits: Limits
    private let begin: Double
    private var newest: Double
    private var known: Set<FilePath> = []
    /// In the order in which they came.
    package private(set) var photos: [FilePath] = []

    /// - Parameter seconds: now.
    package init(_ limits: Limits, at seconds: Double) { (self.limits, begin, newest) = (limits, seconds, seconds) }

    /// A photo is complete; one that was written again is no other one.
    package mutating func add(_ path: FilePath, at seconds: Double) {
        guard !isOver(at: seconds) else { return }
        newest = seconds
        if known.insert(path).inserted { photos.append(path) }
    }

    /// Whether nothing more is waited for.
    package func isOver(at seconds: Double) -> Bool {
        photos.count >= limits.count ?? .max || seconds - begin >= limits.duration ?? .infinity
            || seconds - newest >= limits.idle ?? .infinity
    }
}
