import Encoding
import FileSystem
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// What is told of the whole batch, and whether the disk has room for more of it.
extension Batch {
    /// Looks at the disk once a second, and tells that all is well.
    func watch() async {
        while !Task.isCancelled, !isOver {
            try? await Task.sleep(for: .seconds(1))
            await look()
        }
    }

    func look() async {
        let outputs = folder.outputs
        // A network disk that has gone away answers never; then nothing is known.
        let free = await onOwnThread("rushes-disk", orAfter: .seconds(5), otherwise: nil) { freeSpace(outputs) }
        handle(.free(free))
    }

    var status: BatchStatus {
        let shortage = queue.shortage
        let running = queue.running
        // What runs elsewhere is waited for where nothing is done here.
        let other = running.allSatisfy { others[$0] != nil } ? running.lazy.compactMap { self.others[$0] }.first : nil
        let reason = shortage.map { $0.message(folder.outputs) } ?? other ?? (running.isEmpty ? trouble : nil)
        let phase: ContentState.Phase = queue.isPaused ? .paused : reason != nil ? .waiting : .running
        return BatchStatus(
            phase: phase, isStopping: queue.isStopping, message: phase == .waiting ? reason : trouble)
    }

    /// - Parameter trouble: why no files come, a sentence; `nil` where they do.
    package func note(trouble: String?) {
        self.trouble = trouble
        tell(.status(status))
    }

    /// How it stands, for who ends the process before it is over.
    package var summarySoFar: BatchSummary {
        var summary = summary
        summary.cancelled += queue.running.count
        summary.interrupted += queue.running.count
        return completed(summary)
    }
}

extension BatchQueue.Shortage {
    func message(_ outputs: FilePath) -> String {
        switch self {
        case .reserve(let missing):
            "\(outputs.wireText) is almost full. Free up at least \(Self.atLeast(missing)), and the batch continues."
        case .next(let needed, let free):
            "The next file needs about \(Self.atLeast(needed)), and \(outputs.wireText) has \(Quantities.bytes(free)) free."
        }
    }

    /// Rounded up: who frees as much as is said has done enough.
    private static func atLeast(_ bytes: Int64) -> String {
        let unit: Int64 = bytes < 1_000_000 ? 1000 : bytes < 10_000_000_000 ? 1_000_000 : 1_000_000_000
        let name = unit == 1000 ? "kB" : unit == 1_000_000 ? "MB" : "GB"
        return "\((bytes + unit - 1) / unit) \(name)"
    }
}
