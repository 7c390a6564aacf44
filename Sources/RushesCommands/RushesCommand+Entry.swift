import ArgumentParser
import GStreamer
import Logging

extension RushesCommand {
    /// Runs the command with the process's arguments and ends the process with its status.
    public static func run() async {
        // What a person has to know is said by the command; GLib's warnings would stand in the middle of a progress line.
        GStreamerLibrary.silenceWarnings()
        StandardStreams.ignoreClosedPipes()
        let isVerbose = CommandLine.arguments.contains("--verbose")
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = isVerbose ? .debug : .critical
            return handler
        }
        await main()
    }
}
