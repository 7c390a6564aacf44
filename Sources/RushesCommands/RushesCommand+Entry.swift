import ArgumentParser
import Errors
import Foundation
import GStreamer
import Logging
import Threads

extension RushesCommand {
    /// Ends the process with a sentence where the system has not the threads that a movie takes: encoders and drivers do not
    /// say what is wrong then, and some wait for ever.
    package static func requireThreads() {
        do throws(ThreadShortage) { try ThreadSupply.check() } catch {
            StandardStreams.printNote("rushes: \(error)")
            end(ExitStatus.failure)
        }
    }

    /// Runs the command with the process's arguments and ends the process with its status.
    package static func run() async {
        CompiledCode.avoidFullDisk()
        StandardStreams.prepare()
        StandardStreams.allowManyFiles()
        Term.useOptions()
        // What a person has to know the command says itself; GLib's warnings would stand in the middle of a progress line.
        GStreamerLibrary.silenceWarnings()
        startLog(isVerbose: CommandLine.arguments.contains("--verbose"))
        if let mistake = Misreading(Array(CommandLine.arguments.dropFirst())) {
            StandardStreams.printNote("rushes: \(mistake.sentence)")
            end(ExitStatus.usage)
        }
        do {
            var command = try parseAsRoot()
            if let shortage = StandardStreams.shortageOfFiles {
                StandardStreams.printNote("rushes: \(shortage)")
                end(ExitStatus.failure)
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            endWithResult(.success)
        } catch let error where error is ExitCode || exitCode(for: error).isSuccess {
            // Help, the version, or a status whose reason has been told.
            let text = fullMessage(for: error)
            if !text.isEmpty { StandardStreams.printResult(HelpText(text).text) }
            endWithResult(exitCode(for: error))
        } catch {
            // One sentence, as for everything else that is refused; not the parser's pages of usage.
            StandardStreams.printNote("rushes: \(sentence(for: error))")
            end(exitCode(for: error))
        }
    }

    private static func sentence(for error: any Error) -> String {
        let arguments = Array(CommandLine.arguments.dropFirst())
        return UsageSentence(fullMessage: fullMessage(for: error), arguments: arguments) { option in
            OtherOption(option, in: arguments)?.cure
        }.text
    }

    /// Where standard output did not take all that was to be said, that is a failure too.
    private static func endWithResult(_ status: ExitCode) -> Never {
        guard let refusal = StandardStreams.refusal else { end(status) }
        StandardStreams.printNote("rushes: Standard output cannot be written: \(refusal).")
        end(status.isSuccess ? ExitStatus.failure : status)
    }

    /// Ends the process without the libraries' own clean-up: a thread that was given up (in a driver, or in a plugin that
    /// is still loading) would use what that takes away, and crash.
    private static func end(_ status: ExitCode) -> Never {
        StandardStreams.finishNotes()
        fflush(nil)
        _exit(status.rawValue)
    }

    private static func startLog(isVerbose: Bool) {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = isVerbose ? .debug : .critical
            return handler
        }
    }
}
