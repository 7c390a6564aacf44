import Threads

extension Collection where Element == Task<Void, Never> {
    /// Waits until what reporters follow (``ActivityReporter/follow(_:)``) has been shown to its end; but who does not look,
    /// a stopped terminal, a full pipe or a bus that hangs, is not waited for longer than the stated seconds.
    package func areShown(within seconds: Double = 10) async {
        let isShown = AsyncSignal()
        let tasks = Array(self)
        Task {
            for task in tasks { await task.value }
            isShown.fire()
        }
        _ = await isShown.wait(seconds: seconds)
    }
}
