import ArgumentParser
import Encoding
import Export
import LiveActivity
import MediaTypes
import SystemPackage
import Threads

/// `rushes snapshot`: frames of a movie as images.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write a frame of a movie as an image.",
        discussion: """
            The image is the frame that is shown at that time: upright, in the proportions in which players show it, and with the movie's date, \
            place and camera. HDR is tone-mapped, and a line says so.

            With several times, or --every, the images have numbers: frame-001.jpg, frame-002.jpg. --every begins with the first frame.

            EXAMPLES
              rushes snapshot movie.mov --at 12s --output frame.jpg
              rushes snapshot movie.mov --at 1m30.5s --output frame.png
              rushes snapshot talk.mp4 --every 10s --output frame.jpg
            """)

    @Argument(help: "The movie.", completion: .file(), transform: localPath) var file: String
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "When the frame is shown: 90, 1.5s, 2m or 00:01:30.5; may be repeated. The first frame if left out.",
            valueName: "time"))
    var at: [TimeSpan] = []
    @Option(help: ArgumentHelp("An image for each such length of the movie.", valueName: "time")) var every: TimeSpan?
    @Option(
        name: [.long, .short],
        help: ArgumentHelp("The image to write: .jpg, .jpeg or .png.", valueName: "file"), completion: .file(),
        transform: localPath)
    var output: String
    @Flag(help: "Replace images that exist; the old ones stay until the new ones are complete.") var overwrite = false
    @OptionGroup var progress: CopyProgressOptions

    func validate() throws {
        if every != nil, !at.isEmpty { throw ValidationError("--every excludes --at; give one.") }
        if let every, every.duration < .milliseconds(1) {
            throw ValidationError("--every is at least 1ms.")
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let (input, path) = (FilePath(typed: file), FilePath(typed: output))
            let generator = try await onOwnThread("rushes-input") { try ImageGenerator(of: input) }
            let times = try times(of: generator)
            let images = times.enumerated().map { index, time in
                let name = times.count > 1 ? Self.numbered(path, index + 1) : path
                return (time, MovieDestination(name, replacesExisting: overwrite))
            }
            try await onOwnThread("rushes-output") { try generator.check(images) }
            var told: Set<String> = []
            let display = CopyDisplay(file, verb: "reading", style: progress.style)
            do {
                try await generator.write(images, progress: display.show) { image in
                    for note in image.notes where told.insert(note).inserted { StandardStreams.printNote(note) }
                    StandardStreams.printNote("\(image.path): \(image.size).")
                }
                display.end(.finished)
            } catch {
                display.end(.failed)
                throw error
            }
        }
    }

    private func times(of generator: ImageGenerator) throws -> [MediaTime] {
        guard let every else { return at.isEmpty ? [.zero] : at.map(\.time).sorted() }
        guard let duration = generator.duration else {
            throw ValidationError("The length of \(file) is not known; name the times with --at.")
        }
        let count = max(1, Int((duration.seconds / every.time.seconds).rounded(.up)))
        guard count <= Self.most else {
            throw ValidationError("--every \(every.time.seconds)s would be \(count) images; \(Self.most) are the most.")
        }
        return (0..<count).map { every.time * $0 }.filter { $0 < duration }
    }

    private static let most = 10_000

    /// "frame.jpg" with a number.
    private static func numbered(_ path: FilePath, _ number: Int) -> FilePath {
        let (digits, ending) = (String(number), path.extension.map { ".\($0)" } ?? "")
        let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
        return path.removingLastComponent().appending("\(path.stem ?? "")-\(zeros)\(digits)\(ending)")
    }
}
