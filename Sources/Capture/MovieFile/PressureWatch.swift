import Encoding
import SystemPackage
import Synchronization
import Threads

/// Looks now and then at what may keep a recording from its share of the machine, on a thread of its own: drivers of thermal zones may take
/// their time.
final class PressureWatch: Sendable {
    private let root: FilePath
    private let latest = Locked(MachinePressure())
    private let isAsking = Atomic(false)
    private let looks = Atomic(0)

    /// - Parameter root: "/", or a folder with `proc` and `sys`.
    init(root: FilePath = "/") { self.root = root }

    /// As it was at the last answer.
    var pressure: MachinePressure { latest.withLock { $0 } }

    /// Asks again with each fourth call, unless the last question is still open.
    func refresh() {
        guard looks.add(1, ordering: .relaxed).oldValue % Self.every == 0,
            !isAsking.exchange(true, ordering: .acquiring)
        else { return }
        let hasBegun = OwnThread.run("rushes-pressure") { [self] in
            let found = MachinePressure.now(root: root)
            latest.withLock { $0 = found }
            isAsking.store(false, ordering: .releasing)
        }
        if !hasBegun { isAsking.store(false, ordering: .releasing) }
    }

    /// Two seconds: heat comes slowly, and the kernel's means are of ten.
    private static let every = 4
}
