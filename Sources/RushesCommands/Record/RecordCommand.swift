import ArgumentParser
import Foundation
import Rushes
import SystemPackage

/// `rushes record`: camera and microphone to a movie.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record camera and microphone to a movie.",
        discussion: """
            The file's ending chooses the container: .mov, .mp4, .mkv or .webm. Ctrl-C ends the take; the file is then
            complete. Should the recorder be killed, the file plays up to its last half second.

            Examples:
              rushes record take.mov
              rushes record --camera "HD Webcam" --size 1280x720 --rate 30 --codec h264 take.mp4
              rushes record --codec prores --profile hq --duration 2m interview.mov
              rushes record --camera none --audio flac voice.mkv
              rushes record --rotation 90 --title "Upright" phone.mp4
            """)

    @Argument(
        help: ArgumentHelp("The movie to write. Left out: Movie DATE at TIME.mov in the current folder.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]))
    var file: String?

    @OptionGroup(title: "Sources") var sources: SourceOptions
    @OptionGroup(title: "Picture") var picture: PictureOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Sound") var sound: SoundOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Written into the file") var tags: TagOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Flag(help: "Replace FILE if it exists; the old one stays until the new one is complete.") var overwrite = false
    @Flag(help: "Print the GStreamer pipeline and exit.") var printPipeline = false

    func run() async throws {
        try await reportingFailures(verbose: output.verbose) {
            let request = try await TakeRequest(self)
            if printPipeline {
                StandardStreams.printResult(try await request.pipeline())
            } else {
                try await TakeSession(request, output: output).run()
            }
        }
    }
}
