import ArgumentParser
import Errors
import Foundation
import GStreamer
import SystemPackage

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
    } catch let error as RushesError {
        let debug = (error.underlying as? GStreamerError)?.debug
        throw report(error.description, error.isUsage, verbose ? debug : nil)
    } catch let error as GStreamerError {
        throw report(error.description, false, verbose ? error.debug : nil)
    } catch let error where error is ExitCode || error is ValidationError || error is CleanExit {
        throw error
    } catch let error as CocoaError {
        throw report(error.sentence, false, nil)
    } catch {
        throw report("\(error)", false, nil)
    }
}

/// The same for each of several files: one that fails stops no other.
///
/// - Throws: how the first of those ended that failed.
func reportingFailures(
    verbose: Bool = false, ofEach files: [FilePath], _ body: (FilePath) async throws -> Void
) async throws {
    var failure: ExitCode?
    for file in files {
        do {
            try await reportingFailures(verbose: verbose) { try await body(file) }
        } catch let code as ExitCode {
            failure = failure ?? code
        }
    }
    if let failure { throw failure }
}

extension RushesError {
    /// Whether what was asked for is at fault, and not a device, a file or the machine.
    fileprivate var isUsage: Bool {
        [.invalidSettings, .badSource, .ambiguousDevice, .unsupportedFormat].contains(code)
    }
}

extension CocoaError {
    /// "/home/me/folder: Permission denied.": what the system said, without Foundation's record of it.
    fileprivate var sentence: String {
        let reason = (underlying as? POSIXError).map { String(cString: strerror(Int32($0.errorCode))) }
        return [filePath, reason ?? localizedDescription].compactMap(\.self).joined(separator: ": ")
    }
}

private func report(_ sentence: String, _ isUsage: Bool, _ debug: String?) -> ExitCode {
    StandardStreams.printNote("rushes: \(Sentence(sentence).text)")
    if let debug, !debug.isEmpty { StandardStreams.printDetails(debug) }
    return isUsage ? ExitStatus.usage : ExitStatus.failure
}
