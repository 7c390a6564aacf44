import Encoding
import Errors
import MovieFiles
import SystemPackage
import Threads

/// What all parts of one export share: what is read, what is asked for, where it goes, how it stands, and what is to be told.
struct ExportContext: Sendable {
    let input: any ExportInput
    let settings: ExportSettings
    let destination: MovieDestination
    let output: TemporaryOutput
    let status: ExportStatus
    /// Where an image of the latest moment is put, if anywhere.
    var thumbnail: FilePath?
    var log = ExportLog()

    /// What is known of the input, as far as the output may tell it.
    var properties: InputProperties { input.properties.told(by: settings) }

    /// The same for a part of the work that nobody watches: without images, and with a log of its own.
    func unwatched(without reasons: [RetryReason] = []) -> ExportContext {
        var context = self
        (context.thumbnail, context.log) = (nil, ExportLog())
        for reason in reasons { _ = context.log.insert(reason) }
        return context
    }

    /// Does it once more from its start for each thing that turns out to be better left alone.
    func retrying<Result>(_ body: (RetryReasons) async throws -> Result) async throws -> Result {
        while true {
            do {
                return try await body(log.retryReasons)
            } catch let reason as RetryReason {
                guard log.insert(reason) else {
                    throw RushesError(.encoderFailed, reason.note ?? "The export failed twice in the same way.")
                }
                output.empty()
            }
        }
    }
}

extension InputProperties {
    /// The same without what is not to be told.
    func told(by settings: ExportSettings) -> InputProperties {
        var properties = self
        // How loud the audio was is not how loud it becomes.
        if settings.loudness != nil { properties.metadata.forgetLoudness() }
        guard settings.stripsMetadata == true else { return properties }
        (properties.metadata, properties.unkept, properties.timeCode) = (MovieMetadata(), [], nil)
        return properties
    }
}

/// What an export has to tell at its end, and what it does without as that has failed.
final class ExportLog: Sendable {
    private struct State {
        var notes: [String] = []
        var reasons = RetryReasons()
    }

    private let state = Locked(State())

    /// Sentences for people: first what failed, then in the order in which they were added.
    var notes: [String] { state.withLock { $0.reasons.notes + $0.notes } }
    var retryReasons: RetryReasons { state.withLock { $0.reasons } }

    func note(_ sentence: String) { state.withLock { $0.notes.append(sentence) } }

    /// - Returns: whether this is new, so that it is worth beginning again.
    func insert(_ reason: RetryReason) -> Bool { state.withLock { $0.reasons.insert(reason) } }
}
