import FileSystem
import Foundation
import SystemPackage

/// Puts what has been written on the disk all along, on a thread of its own.
///
/// A power cut then costs what was written since, and the sync that ends a recording has little left to do. Nobody
/// waits for it: while a sync is under way or was begun less than half a second ago, further requests become one. Each
/// track of a movie writes fragments of half a second, and every sync wakes the disk.
final class WritebackThread: @unchecked Sendable {
    // Everything below is guarded by `condition`, but for `descriptor`, which never changes.
    private let condition = NSCondition()
    private let descriptor: FileDescriptor
    /// What the syncs take.
    let delay = DiskDelay()
    private var isRequested = false
    private var isStopped = false
    private var isRunning = false
    private static let interval = 0.5

    /// Takes a descriptor of its own, so that the owner may close theirs at any time.
    init?(_ descriptor: FileDescriptor) {
        guard let own = try? descriptor.duplicate() else { return nil }
        self.descriptor = own
        isRunning = true
        let thread = Thread { [self] in run() }
        thread.name = "movie-sync"
        thread.start()
    }

    /// Asks for a sync of what is written by now, and returns at once.
    func push() {
        condition.withLock {
            isRequested = true
            condition.signal()
        }
    }

    /// Ends the thread, and waits for the sync that is under way.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
            while isRunning { condition.wait() }
        }
    }

    private func run() {
        while waitForRequest() {
            let next = Date(timeIntervalSinceNow: Self.interval)
            // What fails here fails again, and is reported, when the movie is finished.
            delay.start()
            try? descriptor.synchronize()
            delay.finish()
            rest(until: next)
        }
        try? descriptor.close()
        condition.withLock {
            isRunning = false
            condition.broadcast()
        }
    }

    private func rest(until date: Date) {
        condition.withLock {
            // The clock of the wall may be set: a rest that has become longer is over with the next request.
            while !isStopped, date.timeIntervalSinceNow <= Self.interval, condition.wait(until: date) {}
        }
    }

    /// Waits for a request; false when it is time to end.
    private func waitForRequest() -> Bool {
        condition.withLock {
            while !isRequested, !isStopped { condition.wait() }
            isRequested = false
            return !isStopped
        }
    }
}
