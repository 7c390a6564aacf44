import Encoding
import Errors
import GStreamer
import Threads

/// Runs the pumps of an export and sees to it that they end: with the input, with an error, when nothing moves any more.
struct StallMonitor: Sendable {
    let status: ExportStatus
    let source: any FrameSource
    let writer: MovieWriter

    /// How long nothing at all may move: the slowest encoders take that for a few of the largest frames.
    static let timeout = Duration.seconds(60)
    /// The same while audio is decoded of a file without frames: it comes at once or never (musepackdec, 1.22, stands still
    /// at the end of a file that is cut off).
    static let audioTimeout = Duration.seconds(20)

    /// - Throws: what went wrong in either pipeline; ``RushesError`` for a standstill; `CancellationError`.
    func run(_ pumps: [any TrackPump]) async throws {
        let (status, source, writer) = (status, source, writer)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for pump in pumps {
                group.addTask {
                    try await onOwnThread("rushes-\(pump.name)") {
                        var pump = pump
                        pump.run()
                    }
                    return true
                }
            }
            group.addTask {
                try await Self.check(status, source, writer)
                return false
            }
            var running = pumps.count
            do {
                while running > 0, let isPump = try await group.next() { if isPump { running -= 1 } }
                if let failure = writer.failure ?? source.failure { throw failure }
                try source.checkTracks()
                if status.isStopped { throw CancellationError() }
            } catch {
                // Whoever waits in one of the pipelines is woken by its end.
                status.report(.aborted)
                await writer.cancel()
                await source.stop()
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    /// Between two looks.
    private static let interval = Duration.milliseconds(200)

    private static func check(_ status: ExportStatus, _ source: any FrameSource, _ writer: MovieWriter) async throws {
        var latest = (-1, 0)
        var still = Duration.zero
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            if let failure = writer.failure ?? source.failure { throw failure }
            try source.checkTracks()
            status.report(.written(bytes: writer.bytesWritten))
            let state = status.snapshot
            if state.isStopped { throw CancellationError() }
            let counts = (state.progressCounter, source.absorbedFrames)
            still = state.isPaused || counts != latest ? .zero : still + interval
            latest = counts
            let limit = state.run.submitting.isEmpty && !source.hasVideo ? audioTimeout : timeout
            if still >= limit {
                let place =
                    state.run.submitting.isEmpty
                    ? "the decoder (\(source.decodedFormat))" : "the encoder or the muxer (\(writer.encoderName))"
                throw RushesError(
                    .stalled, "No progress for \(limit.secondsText) seconds in \(place); the export was stopped.")
            }
        }
    }
}
