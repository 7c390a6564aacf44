import Threads
import ArgumentParser
import GStreamer
import MovieFiles
import SystemPackage

/// `rushes rotate`: how players show a movie, changed without touching its samples.
struct RotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Turn a finished movie: metadata only, at once and without loss.",
        discussion: """
            The angle is absolute: 0 shows the picture as it is stored.

            Examples:
              rushes rotate take.mov --angle 90
              rushes rotate take.mov --angle 0 --mirror --output mirrored.mov
            """)

    @Argument(help: "The movie.", completion: .file(extensions: ["mov", "mp4"])) var file: String
    @Option(help: ArgumentHelp("Degrees clockwise: 0, 90, 180 or 270.", valueName: "degrees")) var angle: Int
    @Flag(help: "Mirrored first, then turned.") var mirror = false
    @Option(help: ArgumentHelp("A new movie; the file itself if left out.", valueName: "file"), completion: .file())
    var output: String?

    func validate() throws {
        guard MovieOrientation(degrees: angle) != nil else { throw ValidationError("--angle is 0, 90, 180 or 270.") }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let orientation = MovieOrientation(degrees: angle, isMirrored: mirror) ?? .upright
            let (input, target) = (FilePath(file), output.map { FilePath($0) })
            try await onOwnThread("rushes-rotate") {
                if let target {
                    try MovieEditing.setOrientation(orientation, ofMovieAt: input, writingTo: target)
                } else {
                    try MovieEditing.setOrientation(orientation, ofMovieAt: input)
                }
            }
        }
    }
}
