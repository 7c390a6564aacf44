import Foundation

/// A value that one thread at a time may use.
///
/// A POSIX mutex, and not `Synchronization.Mutex`, because on Linux the thread sanitizer sees only the former: what the
/// latter guards it reports as a race, at random.
package final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// - Parameter value: what only ``withLock(_:)`` reaches from now on.
    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs the closure with the value, alone. Not to be called from within itself: that never returns.
    ///
    /// - Throws: what the closure throws.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
