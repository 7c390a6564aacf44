import ArgumentParser
import Rushes

/// A start that is waited for, and what is kept of the past.
struct StandbyOptions: ParsableArguments {
    @Flag(
        help: """
            Gets everything ready and waits: Return, r or 'rushes control ID start' begins the recording. No file is created before that.
            """)
    var standby = false

    @Option(
        help: ArgumentHelp(
            """
            With --standby: how much of what precedes the start is in the recording. It begins with the key frame \
            before, at most two seconds earlier; --duration and --split-every count from the start and the file's beginning.
            """, valueName: "duration"))
    var preRoll: TimeSpan?

    @Option(
        help: ArgumentHelp(
            """
            Keeps the last seconds in memory, for 'rushes control ID save 30s': a file of their own while all goes on. This and \
            --pre-roll keep it encoded, in a quarter of the free memory at most; a line says where that is too little.
            """, valueName: "duration"))
    var replay: TimeSpan?

    @Option(
        help: ArgumentHelp(
            """
            Waits, and records automatically while something moves (motion, with sensitivity=70 or a part of the frame behind it: motion,x=0%,y=50%,width=100%,height=50%) or is \
            loud (sound=-30dB); may be given twice. Each time is a movie, with --pre-roll before it, 5s if left out.
            """, valueName: "motion[,sensitivity=0-100]|sound=dB"))
    var trigger: [TriggerArgument] = []

    @Option(
        help: ArgumentHelp(
            "With --trigger: the movie ends when nothing has triggered it for this long; 5s if left out.",
            valueName: "duration"))
    var postRoll: TimeSpan?

    /// How much lies before a start that is waited for; `nil` for a recording that begins at once.
    var wait: Duration? {
        guard standby || !trigger.isEmpty else { return nil }
        return preRoll?.duration ?? (trigger.isEmpty ? .zero : Self.roll)
    }
    var after: Duration { postRoll?.duration ?? Self.roll }
    private static let roll = Duration.seconds(5)

    func validate() throws {
        guard postRoll == nil || !trigger.isEmpty else {
            throw ValidationError("--post-roll goes with --trigger; add that.")
        }
        guard preRoll == nil || standby || !trigger.isEmpty else {
            throw ValidationError(
                "--pre-roll goes with --standby or --trigger; add one, or use --replay to save the last seconds while it records."
            )
        }
        if let replay, replay.duration < .seconds(1) { throw ValidationError("--replay is at least one second.") }
    }

    /// Whether the last seconds are kept, so that they can be saved.
    var keepsHistory: Bool { replay != nil || (wait ?? .zero) > .zero }
}
