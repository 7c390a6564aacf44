import ArgumentParser

extension RushesCommand {
    /// Runs the command with the process's arguments and ends the process with its status.
    public static func run() async { await main() }
}
