import Errors
import LiveActivity
import Threads

/// One item from its beginning to its end.
extension Batch {
    func hold(_ item: Int, _ isHeld: Bool) {
        tell(.held(item, isHeld))
        guard let export = exports[item] else { return }
        Task { isHeld ? await export.pause() : await export.resume() }
    }

    func export(_ number: Int) async {
        let end: BatchQueue.End
        do {
            let outcome = try await BatchStep(item: items[number], plan: plan, minimumFreeSpace: queue.reserve).run(
                exporter, waits: { await self.waits(number, $0) }, begun: { await self.begun(number, $0) },
                report: { await self.advance(number, $0) })
            ended(number, outcome)
            end = outcome.kind == .skipped ? .skipped : .done
        } catch {
            // What is free now decides whether it is of use to wait.
            if (error as? RushesError)?.code == .diskFull { await look() }
            end = failed(number, error)
        }
        (tasks[number], exports[number], others[number]) = (nil, nil, nil)
        handle(.ended(number, end))
    }

    private func failed(_ number: Int, _ error: any Error) -> BatchQueue.End {
        let code = (error as? RushesError)?.code
        if code == .diskFull, !queue.isStopping, !queue.isFutile(number) {
            tell(.postponed(number))
            return .outOfSpace
        }
        if code == .cancelled, queue.isEvicted(number) {
            tell(.postponed(number))
            return .cancelled
        }
        if code == .cancelled {
            // What the batch itself gave up is left for another run.
            if queue.isStopping { summary.interrupted += 1 }
            ended(number, BatchOutcome(.cancelled))
            return .cancelled
        }
        ended(number, BatchOutcome(.failed, reason: "\(error)"))
        return .failed
    }

    func ended(_ number: Int, _ outcome: BatchOutcome) {
        summary.add(outcome, of: items[number])
        tell(.ended(number, outcome))
    }

    private func waits(_ number: Int, _ reason: String) {
        guard others.updateValue(reason, forKey: number) != reason else { return }
        tell(.status(status))
    }

    private func begun(_ number: Int, _ export: BatchExport) async {
        others[number] = nil
        exports[number] = export
        tell(.began(number))
        guard queue.items[number].isHeld else { return }
        tell(.held(number, true))
        await export.pause()
    }

    private func advance(_ number: Int, _ progress: ExportProgress) {
        tell(.progress(number, progress))
        handle(.progress(number, bytes: progress.bytesWritten, fraction: progress.fraction))
    }
}
