import GStreamer
import Synchronization
import Threads

/// Lets through only those of a camera's frames that are asked for, before they are decoded. The decision is made on the device's thread
/// and must not wait.
final class FrameGate: Sendable {
    private let isWanted = Locked<@Sendable (_ runningTime: MediaTime) -> Bool>({ _ in true })

    /// All pass until this is called.
    func open(to isWanted: @escaping @Sendable (MediaTime) -> Bool) { self.isWanted.withLock { $0 = isWanted } }

    func passes(_ runningTime: MediaTime) -> Bool { isWanted.withLock { $0 }(runningTime) }
}
