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
        let free = await onOwnThread("rushes-disk", orAfter: 5, otherwise: nil) { freeSpace(outputs) }
        handle(.free(free))
    }

    var status: BatchStatus {
        let missing = queue.missingSpace
        let phase: ContentState.Phase = queue.isPaused ? .paused : missing != nil ? .waiting : .running
        return BatchStatus(
            phase: phase, isStopping: queue.isStopping,
            message: phase == .waiting ? missing.map(noSpace) : nil)
    }

    private func noSpace(_ missing: Int64) -> String {
        "\(folder.outputs.wireText) is out of space: free \(max(1, missing / 1_000_000)) MB, and the batch continues."
    }
}
