import Dispatch
import Export
import Foundation
import Threads

/// What signals ask of a batch: SIGINT, SIGTERM and SIGHUP give up what runs, so that the rest can be gone on with;
/// SIGTSTP (Ctrl-Z) pauses until SIGCONT.
struct BatchSignals {
    private let stop: Task<Void, Never>
    private let suspend: any DispatchSourceSignal

    /// - Parameter giveUp: says how the batch stands, before the process ends at a second interrupt.
    static func watch(
        _ batch: Batch, _ display: BatchDisplay, giveUp: @escaping @Sendable () async -> Void
    ) async -> BatchSignals {
        let stop = await StopSignals.watch({ await batch.cancel() }, onSecond: giveUp)
        signal(SIGTSTP, SIG_IGN)
        let suspend = DispatchSource.makeSignalSource(signal: SIGTSTP)
        suspend.setEventHandler { Task { await Self.suspend(batch, display) } }
        suspend.resume()
        return BatchSignals(stop: stop, suspend: suspend)
    }

    /// Exports pause before the process does: what their activities show is true then, and clocks do not run on.
    private static func suspend(_ batch: Batch, _ display: BatchDisplay) async {
        let wasPaused = await batch.isPaused
        let isShown = display.signalOfPause()
        await batch.pause()
        _ = await isShown.wait(within: .seconds(1))
        // The process stands still here until SIGCONT.
        kill(getpid(), SIGSTOP)
        if !wasPaused { await batch.resume() }
    }

    func cancel() {
        stop.cancel()
        suspend.cancel()
    }
}
