import ArgumentParser
import Encoding
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// `rushes rotate`: how players show a movie, changed without touching its samples.
struct RotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Turn finished movies: metadata only, at once and without loss.",
        discussion: """
            The angle is absolute: 0 shows the frame as it is stored. QuickTime, MP4, Matroska and WebM are turned; browsers and some \
            televisions show Matroska and WebM as they are stored all the same.

            EXAMPLES
              rushes rotate take.mov --angle 90
              rushes rotate phone/*.mp4 --angle 180
              rushes rotate film.mkv --angle 270
              rushes rotate take.mov --angle 0 --mirror --output mirrored.mov
            """)

    @Argument(
        help: ArgumentHelp("The movies.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]),
        transform: localPath)
    var files: [String]
    @Option(help: ArgumentHelp("Degrees clockwise: 0, 90, 180 or 270.", valueName: "degrees")) var angle: Int
    @Flag(help: "Mirrors the video before it is turned.") var mirror = false
    @Option(
        name: [.long, .short],
        help: ArgumentHelp("A new movie, of one FILE; the file itself if left out.", valueName: "file"),
        completion: .file(),
        transform: localPath)
    var output: String?
    @Flag(help: "Replace the new movie if it exists; the old one stays until the new one is complete.")
    var overwrite = false
    @OptionGroup var progress: CopyProgressOptions

    func validate() throws {
        guard MovieOrientation(degrees: angle) != nil else { throw ValidationError("--angle is 0, 90, 180 or 270.") }
        guard output == nil || files.count == 1 else {
            throw ValidationError("--output is for one movie; without it, the files themselves are turned.")
        }
        guard output != nil || !overwrite else {
            throw ValidationError("--overwrite is for a new movie; give --output too, or leave it out.")
        }
    }

    func run() async throws {
        try await reportingFailures(ofEach: FilePath.typed(files)) { input in
            let orientation = MovieOrientation(degrees: angle, isMirrored: mirror) ?? .upright
            guard let output else {
                try await onOwnThread("rushes-rotate") {
                    try MovieEditing.setOrientation(orientation, ofMovieAt: input)
                }
                return StandardStreams.printNote("\(input.wireText) now plays \(words).")
            }
            let target = FilePath(typed: output)
            try refuseOtherContainer(target, form: MovieForm(input) ?? .movie)
            try MovieDestination(target, replacesExisting: overwrite).check(needing: 0)
            let (overwrite, fileType) = (overwrite, MovieFileType(endingOf: target))
            try await CopyDisplay.during(input.wireText, style: progress.style) { progress in
                try MovieEditing.setOrientation(
                    orientation, ofMovieAt: input, writingTo: target, replacing: overwrite, fileType: fileType,
                    progress: progress)
            }
            StandardStreams.printNote("\(target.wireText) is a copy of \(input.wireText) that plays \(words).")
        }
    }

    /// How players show the movie from now on.
    private var words: String {
        let turn = angle == 0 ? nil : "rotated \(angle)° clockwise"
        let parts = [mirror ? "mirrored" : nil, turn].compactMap(\.self)
        return parts.isEmpty ? "as it was recorded, not rotated" : parts.joined(separator: " and ")
    }
}
