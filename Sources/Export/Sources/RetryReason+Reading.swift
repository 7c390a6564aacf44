import Errors
import GStreamer

extension RetryReason {
    /// Whatever goes wrong in reading may go well from the file's beginning, and without the hardware that decodes; `nil`
    /// where neither is to blame.
    init?(readingFailed error: any Error, _ reader: MediaReader, _ status: ExportStatus) {
        if reader.isSought, !status.isStopped, let failure = reader.failure, error as? GStreamerError == failure {
            self.init(part: .seeking)
            return
        }
        // parsebin may pass a short file before it has linked what comes behind its reader, which then says nothing.
        if (error as? GStreamerError)?.element == MediaReader.silence, !reader.usesLongTimeout, !status.isStopped {
            self.init(part: .usualTimeout)
            return
        }
        let elements = reader.hardwareDecoders
        guard !elements.isEmpty, !status.isStopped else { return nil }
        let reason: String
        switch error {
        case let failure as GStreamerError where failure == reader.failure && !failure.isDiskFull:
            reason = failure.message
        case let failure as RushesError where failure.code == .stalled && status.snapshot.run.submitting.isEmpty:
            reason = "nothing came out of it"
        default: return nil
        }
        self.init(
            part: .hardwareDecoder,
            note: "\(elements.joined(separator: ", ")) failed (\(reason)); the processor decoded instead.")
    }
}
