import ArgumentParser
import Foundation

extension RushesCommand {
    /// Runs the command with the process's arguments and ends the process with its status.
    public static func run() async {
        StandardStreams.prepare()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error where error is ExitCode || exitCode(for: error).isSuccess {
            exit(withError: error)
        } catch {
            // One sentence, as for everything else that is refused; not the parser's pages of usage.
            StandardStreams.printNote("rushes: \(UsageSentence(fullMessage: fullMessage(for: error)).text)")
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }
}
