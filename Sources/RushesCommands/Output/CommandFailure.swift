import ArgumentParser
import Capture
import Encoding
import GStreamer

/// The exit statuses of the command.
enum ExitStatus {
    /// Could not start, or failed.
    static let failure = ExitCode(1)
    /// A fault ended the recording early; its file is complete and good.
    static let endedByFault = ExitCode(3)
    /// An unknown option, a bad value, an impossible combination.
    static let usage = ExitCode(64)
    /// A second interrupt.
    static let interrupted = ExitCode(130)
}

/// Runs a command's work and turns what it throws into one sentence on standard error and the right exit status.
func reportingFailures(verbose: Bool, _ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as CaptureError {
        throw report(error.description, error.isUsage, verbose ? error.underlying?.debug : nil)
    } catch let error as EncodingError {
        throw report(error.description, error.isUsage, nil)
    } catch let error as GStreamerError {
        throw report(error.description, false, verbose ? error.debug : nil)
    } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
        throw error
    } catch {
        throw report("\(error)", false, nil)
    }
}

private func report(_ sentence: String, _ isUsage: Bool, _ debug: String?) -> ExitCode {
    StandardStreams.printNote("rushes: \(sentence)")
    if let debug, !debug.isEmpty { StandardStreams.printNote(debug) }
    return isUsage ? ExitStatus.usage : ExitStatus.failure
}
