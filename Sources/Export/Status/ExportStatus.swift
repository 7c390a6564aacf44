import GStreamer
import SystemPackage
import Threads

/// What the threads of an export tell and ask each other: how far it is, whether it pauses, whether it is over.
final class ExportStatus: Sendable {
    /// How far the export itself is, whatever it is doing.
    enum Phase: Sendable { case pending, opening, exporting, ended }

    struct State: Sendable {
        var progress = ExportProgress()
        /// Which part of the progress the present run over the input is.
        var share = 0.0..<1
        var phase: Phase = .pending
        var isPaused = false
        /// A person has stopped it.
        var isStopped = false
        /// It has failed.
        var isAborted = false
        /// Changes whenever something moves.
        var movement = 0
        /// When each frame that the encoder holds is shown, in the order in which they went in.
        var inEncoder: [Nanoseconds] = []
        /// What left the encoder, in bytes.
        var encodedBytes: Int64 = 0
        /// What went into the movie, once its tracks have ended.
        var handedFrames: Int?
        /// Where the longest of them ends in the movie.
        var handedTime: Nanoseconds = 0
        /// Where each track of decoded audio ends in the movie, by its place among them.
        var audioEnds: [Int: Nanoseconds] = [:]
        /// When the last frame begins.
        var lastFrame: Nanoseconds?
        /// How long the frame is shown that is shown longest.
        var longestFrame: Nanoseconds = 0
        /// Which tracks wait for the writer just now, by their name.
        var writing: Set<String> = []
    }

    private let state = Locked(State())

    var snapshot: State { state.withLock { $0 } }
    var progress: ExportProgress { state.withLock { $0.progress } }
    var isStopped: Bool { state.withLock { $0.isStopped } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Ends the waiting and the work of all threads.
    func stop() { change { $0.isStopped = true } }
    func pause(_ isPaused: Bool) { change { $0.isPaused = isPaused } }

    /// A track has ended.
    func ended(at time: Nanoseconds, frames: Int? = nil) {
        change { state in
            state.handedTime = max(state.handedTime, time)
            state.handedFrames = frames ?? state.handedFrames
        }
    }

    /// A frame went into the encoder.
    func entered(_ time: Nanoseconds) {
        change { state in
            state.inEncoder.append(time)
            state.movement += 1
        }
    }

    /// A frame left the encoder. They leave in another order than they entered, but nearly as many have: the one whose
    /// turn it is tells the time.
    func left(bytes: Int) {
        change { state in
            state.encodedBytes += Int64(bytes)
            state.movement += 1
            state.progress.framesWritten += 1
            guard !state.inEncoder.isEmpty else { return }
            state.advance(to: state.inEncoder.removeFirst())
        }
    }

    /// Audio went into its encoder, in a movie that has no frame.
    func received(_ time: Nanoseconds, isLeading: Bool) {
        change { state in
            state.movement += 1
            if isLeading { state.advance(to: time) }
        }
    }

    /// Whether the thread that asks may go on; waits as long as the export pauses. Blocks.
    func mayGoOn() -> Bool {
        while true {
            let (isPaused, isStopped) = state.withLock { ($0.isPaused, $0.isStopped || $0.isAborted) }
            if isStopped { return false }
            if !isPaused { return true }
            OwnThread.sleep(seconds: 0.05)
        }
    }
}

extension ExportStatus.State {
    fileprivate mutating func advance(to time: Nanoseconds) {
        progress.mediaTime = max(progress.mediaTime, time)
        guard let duration = progress.mediaDuration, duration > 0 else { return }
        let part = min(1, Double(progress.mediaTime) / Double(duration))
        let fraction = share.lowerBound + (share.upperBound - share.lowerBound) * part
        progress.fraction = min(0.999, max(progress.fraction ?? 0, fraction))
    }
}
