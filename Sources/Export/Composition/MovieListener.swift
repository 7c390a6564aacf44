import Alignment
import Encoding
import Errors
import GStreamer
import MediaTypes
import Threads

/// Listens to a movie's first audio track.
struct MovieListener: Sendable {
    let movie: MovieInput
    let status: ExportStatus

    /// - Throws: ``RushesError`` if it has no audio that can be decoded; `CancellationError`.
    func curve() async throws -> LoudnessCurve {
        let reader = try movie.audioReader(rate: LoudnessCurve.audioRate)
        let name = movie.displayName
        status.report(.began(.init(step: "listening to \(name)", share: 0..<0, duration: movie.properties.duration)))
        do {
            try await reader.open(within: movie.properties.timeout)
            guard let track = reader.tracks.first else {
                throw RushesError(
                    .badInput, "\(name) has no audio to align it by; \(Term.aligningByTime).")
            }
            let curve = try await onOwnThread("rushes-listen") { [status] in
                try Self.listen(to: track.sink, reader, status)
            }
            await reader.stop()
            return curve
        } catch {
            await reader.stop()
            throw movie.file.map { InputFailure.explain(error, reader, $0) } ?? error
        }
    }

    /// Between two looks at whether it is over.
    private static let interval = Duration.milliseconds(250)

    private static func listen(
        to sink: any SampleSource, _ reader: MediaReader, _ status: ExportStatus
    ) throws -> LoudnessCurve {
        var curve = LoudnessCurve()
        var silence = Duration.zero
        while silence < StallMonitor.audioTimeout {
            guard status.mayContinue() else { throw CancellationError() }
            if let failure = reader.failure { throw failure }
            switch sink.pull(within: interval) {
            case .sample(let sample):
                silence = .zero
                if let time = sample.movieTime { curve.appendSilence(seconds: time.seconds - curve.seconds - 0.02) }
                try sample.buffer?.withBytes { curve.append($0.bindMemory(to: Float.self)) }
                status.report(.audioSubmitted(until: MediaTime(seconds: curve.seconds), isLeading: true))
            case .end: return curve
            case .nothing: silence += interval
            }
        }
        throw RushesError(.stalled, "No audio came out of the decoder in time.")
    }
}
