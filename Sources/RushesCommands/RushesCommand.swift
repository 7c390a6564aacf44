package import ArgumentParser

/// The `rushes` command.
package struct RushesCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "rushes",
        abstract: "Record camera and microphone to movies that survive a crash.",
        discussion: """
            EXAMPLES
              rushes devices              what can be recorded from
              rushes record take.mov      from the default devices, until Ctrl-C
              rushes record --camera test --microphone test --duration 10 test.mp4
              rushes transcode take.mov --output small.mp4
              rushes compose talk.mov --main slides.mov --inset face.mov
              rushes timelapse day.mov --from-video long.mp4 --speed 60x
              rushes join a.mov b.mov --output c.mov
              rushes snapshot take.mov --at 12s --output frame.jpg
              rushes info take.mov        what is in a movie
              rushes recover take.mov     completes what a killed recorder left
              rushes doctor               what works here, what to install for the rest
              rushes encoders             what can be written here
              rushes activities           what is running and what has ended
              rushes serve                the same on a web page
            """,
        version: version,
        subcommands: [
            RecordCommand.self, TranscodeCommand.self, ComposeCommand.self, TimelapseCommand.self, BatchCommand.self,
            DevicesCommand.self, EncodersCommand.self, DoctorCommand.self, InfoCommand.self, RecoverCommand.self,
            RotateCommand.self, JoinCommand.self, SnapshotCommand.self,
            TagCommand.self, ActivitiesCommand.self, ControlCommand.self,
            ServeCommand.self, NoticeCommand.self,
        ])

    static let version = "0.1.0"

    package init() {}
}
