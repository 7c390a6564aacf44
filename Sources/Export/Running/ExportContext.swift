import Encoding
import SystemPackage

/// What every part of one export shares: what is read, what is asked for, where it goes, and how it stands.
struct ExportContext: Sendable {
    let input: FilePath
    let settings: ExportSettings
    let destination: MovieDestination
    let thumbnail: FilePath?
    let meter: ExportStatus

    /// Does it once more from its start for each thing that turns out to be better left alone.
    func repeating<Result>(
        _ output: TemporaryOutput, _ setbacks: inout RetryReasons, _ body: (RetryReasons) async throws -> Result
    ) async throws -> Result {
        while true {
            do {
                return try await body(setbacks)
            } catch let setback as RetryReason {
                guard setbacks.insert(setback) else {
                    throw ExportError(.encoderFailed, setback.note ?? "The export failed twice in the same way.")
                }
                output.empty()
            }
        }
    }
}
