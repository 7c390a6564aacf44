import Foundation

/// How many threads the system still gives this process: limits of the user (`ulimit -u`), of the service or the container
/// (`pids.max`) and of memory are in different places, and only starting some tells.
package enum ThreadSupply {
    /// What one movie takes with its encoder, decoders, microphones and the threads that Swift's tasks share.
    package static var needed: Int { min(64, 24 + 4 * ProcessInfo.processInfo.activeProcessorCount) }

    /// Starts so many threads, which do nothing, and waits for their end: a tenth of a millisecond for ten of them.
    ///
    /// - Throws: ``ThreadShortage`` where there are fewer.
    package static func check(_ count: Int = needed) throws(ThreadShortage) {
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // They end all at once, when the last one is there.
        let started = (0..<count).prefix { _ in
            OwnThread.run("rushes-supply", stackSize: 64 << 10) {
                gate.wait()
                done.signal()
            }
        }.count
        for _ in 0..<started { gate.signal() }
        for _ in 0..<started { done.wait() }
        if started < count { throw ThreadShortage(available: started, needed: count) }
    }
}
