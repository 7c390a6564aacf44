import GStreamer

/// Something that failed in the middle of an export and that the export can do without: it begins again from its start.
struct RetryReason: Error {
    enum Part: Sendable, Hashable {
        case hardwareEncoder
        case hardwareDecoder
        case seeking
        /// The usual timeout with streams that begin late.
        case usualTimeout
    }

    var part: Part
    /// A sentence for people.
    var note: String?
}

extension RetryReason {
    init(encoderFailed failure: GStreamerError) {
        self.init(
            part: .hardwareEncoder,
            note: "\(failure.element) failed (\(failure.message)); the processor encoded instead.")
    }

    /// Whatever goes wrong in reading may go well from the file's beginning, and without the hardware that decodes; `nil`
    /// where neither is to blame.
    init?(readingFailed error: any Error, _ reader: MediaReader, _ status: ExportStatus) {
        if reader.isSought, !status.isStopped, let failure = reader.failure, error as? GStreamerError == failure {
            self.init(part: .seeking)
            return
        }
        let elements = reader.hardwareDecoders
        guard !elements.isEmpty, !status.isStopped else { return nil }
        let reason: String
        switch error {
        case let failure as GStreamerError where failure == reader.failure && !failure.isDiskFull:
            reason = failure.message
        case let failure as ExportError where failure.code == .stalled && status.snapshot.run.submitting.isEmpty:
            reason = "nothing came out of it"
        default: return nil
        }
        self.init(
            part: .hardwareDecoder,
            note: "\(elements.joined(separator: ", ")) failed (\(reason)); the processor decoded instead.")
    }
}

/// What one export does without, after it has failed there. The next export tries it again: what one file asks of the
/// hardware says nothing about the others.
struct RetryReasons: Sendable {
    private(set) var parts: Set<RetryReason.Part> = []
    private(set) var notes: [String] = []

    func contains(_ part: RetryReason.Part) -> Bool { parts.contains(part) }

    /// - Returns: whether this is new, so that it is worth beginning again.
    mutating func insert(_ reason: RetryReason) -> Bool {
        guard parts.insert(reason.part).inserted else { return false }
        if let note = reason.note { notes.append(note) }
        return true
    }
}

extension MediaReader {
    /// Lends the reader to `body`, and stops it.
    ///
    /// - Throws: ``RetryReason`` where another try can do without what failed; else what `body` throws, in words about the file.
    func reading<Result: Sendable>(
        _ file: InputFile, _ status: ExportStatus, _ body: (MediaReader) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(self)
            await stop()
            return result
        } catch {
            await stop()
            if let reason = RetryReason(readingFailed: error, self, status) { throw reason }
            throw InputFailure.explain(error, self, file)
        }
    }
}
