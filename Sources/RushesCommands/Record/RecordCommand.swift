import ArgumentParser
import Foundation
import Imaging
import Rushes
import SystemPackage

/// `rushes record`: camera and microphone to a movie.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record camera and microphone to a movie.",
        discussion: """
            The file's ending chooses the container: .mov, .mp4, .mkv or .webm. All else that you leave out is chosen by what \
            the camera offers and this machine keeps up with; a line says what.

            At a terminal the space bar pauses and goes on, m marks a chapter, n goes on in the next file and q stops; of \
            several cameras s swaps the first two, 1 to 9 choose a layout and 0 goes back from 8 and 9, which show one camera alone. 'rushes control' does it from elsewhere. What a pause leaves out is cut from video and audio alike.

            Ctrl-C ends the recording, and the file is complete; a second Ctrl-C gives up waiting for that. If the recorder is \
            killed, the file plays up to its last second, and rushes recover completes it.

            EXAMPLES
              rushes record take.mov
              rushes record --camera "HD Webcam" --size 1280x720 --rate 30 take.mp4
              rushes record --codec prores --profile hq --duration 2m interview.mov
              rushes record --camera desk --inset face --layout top-left,radius=24 talk.mov
              rushes record --camera desk --inset face,rotate=90,mirror talk.mov
              rushes record --camera none --audio flac voice.mkv
              rushes record --microphone none --codec copy as-it-comes.mkv
              rushes record --rotation 90 --title "Upright" phone.mp4
              rushes record --camera test:pattern=ball --microphone test --duration 9 a.mp4
              rushes record --camera "gst:rtspsrc location=rtsp://cam/1" --audio none a.mp4
              rushes record --json --duration 1h30m talk.mp4 > events

            EXIT STATUS
              0    done, also when you or a limit ended the take
              1    could not start, or failed
              3    a fault ended the take early, or its audio; the file is complete and
                   good, and if it was deleted or replaced, a line says where it is kept
              64   wrong usage, named before a file is created
              130  a second interrupt
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; 'Movie DATE at TIME.mov' in the current folder if left out.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]))
    var file: String?

    @OptionGroup(title: "Sources") var sources: SourceOptions
    @OptionGroup(title: "Several cameras") var composition: CompositionOptions
    @OptionGroup(title: "Video") var video: VideoOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Audio") var audio: AudioOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Written into the file") var tags: TagOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false
    @Flag(help: "Print the GStreamer pipeline and exit.") var printPipeline = false

    func run() async throws {
        try await reportingFailures(verbose: output.verbose) {
            if composition.layout == CompositionOptions.help {
                return StandardStreams.printResult(LayoutDrawing.help())
            }
            let request = try await RecordingRequest(self)
            if printPipeline {
                StandardStreams.printResult(try await request.pipeline())
            } else {
                try await RecordingSession(request, output: output).run()
            }
        }
    }
}
