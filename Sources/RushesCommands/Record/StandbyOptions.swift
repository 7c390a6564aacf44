import ArgumentParser
import Rushes

/// A start that is waited for, and what is kept of the past.
struct StandbyOptions: ParsableArguments {
    @Flag(
        help: """
            Gets all ready and waits: Return, r or 'rushes control ID start' begins the recording. No file is made before.
            """)
    var standby = false

    @Option(
        help: ArgumentHelp(
            """
            With --standby: so much of what lies before the start is in the recording. It begins with the key frame \
            before, at most two seconds earlier; --duration and --split-every count from the start and the file's beginning.
            """, valueName: "duration"))
    var preRoll: TimeSpan?

    @Option(
        help: ArgumentHelp(
            """
            Keeps the last seconds in memory, for 'rushes control ID save 30s': a file of their own while all goes on. This and \
            --pre-roll take as much as is encoded, and a quarter of the free memory at most; a line tells where that is too little.
            """, valueName: "duration"))
    var replay: TimeSpan?

    func validate() throws {
        guard preRoll == nil || standby else {
            throw ValidationError(
                "--pre-roll is what lies before a start that is waited for; add --standby, or --replay to save the last seconds while it records."
            )
        }
        if let replay, replay.seconds < 1 { throw ValidationError("--replay is at least one second.") }
    }

    /// Whether the last seconds are kept, so that they can be saved.
    var keepsHistory: Bool { replay != nil || (preRoll?.seconds ?? 0) > 0 }
}
