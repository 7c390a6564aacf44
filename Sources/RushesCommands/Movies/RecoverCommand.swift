import ArgumentParser
import Encoding
import Errors
import FileSystem
import Foundation
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage

/// `rushes recover`: complete movies of takes whose recorder died.
struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Complete movies whose recorder died, or that are cut off.",
        discussion: """
            Every frame and all audio that is intact is kept, also after damage; what is lost is told, and where. \
            The original stays as it is, unless --in-place is given. \
            Works on all recordings of Rushes, on WAV and FLAC and on fragmented QuickTime and MP4 files of other recorders, and on \
            files that were complete and are cut off, such as a broken download: Matroska, and QuickTime and MP4 after their index. \
            Of Matroska that another recorder left, 'rushes transcode --preset copy' makes a new file.

            EXAMPLES
              rushes recover take.mov               writes take.recovered.mov
              rushes recover --in-place take.mov    completes the file itself
              rushes recover *.mp4 --output-directory rescued
            """)

    @Argument(
        help: ArgumentHelp("The movies.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm", "m4a", "wav", "flac", "mka"]), transform: localPath)
    var files: [String]
    @Flag(help: "Complete each file itself.") var inPlace = false
    @Option(
        name: [.long, .short],
        help: ArgumentHelp("The new movie, for one FILE.", valueName: "file"), completion: .file(), transform: localPath
    )
    var output: String?
    @Option(
        help: ArgumentHelp("The folder for the new movies.", valueName: "folder"), completion: .directory,
        transform: localPath)
    var outputDirectory: String?
    @Flag(help: "Replace the new movie if it exists; the old one stays until the new one is complete.")
    var overwrite = false
    @Flag(help: "One JSON object a line on standard output.") var json = false
    @OptionGroup var progress: CopyProgressOptions

    func validate() throws {
        guard [inPlace, output != nil, outputDirectory != nil].filter({ $0 }).count <= 1 else {
            throw ValidationError("--in-place, --output and --output-directory cannot be used together; give one.")
        }
        guard output == nil || files.count == 1 else {
            throw ValidationError("--output is for one movie; use --output-directory for several.")
        }
        guard !inPlace || !overwrite else {
            throw ValidationError("--overwrite is for new movies; leave it out with --in-place.")
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) { try makeFolder() }
        let inputs = FilePath.typed(files)
        var made: [FilePath: FilePath] = [:]
        try await reportingFailures(ofEach: inputs) { file in
            let target = target(file)
            if let target { try refuse(target, for: file, among: inputs, made) }
            let movie = try await recover(file, to: target)
            if let target { made[target.lexicallyNormalized()] = file }
            StandardStreams.printResult(json ? try JSONText.line(movie) : Sentence.printable(words(movie)))
        }
    }

    private func makeFolder() throws {
        guard let outputDirectory, case let folder = FilePath(typed: outputDirectory), FileStatus(folder) == nil else {
            return
        }
        do throws(Errno) { try folder.makeFolders() } catch {
            throw RushesError(
                .notWritable, on: folder.string, "The folder \(folder.wireText) cannot be created: \(error).",
                underlying: error)
        }
    }

    /// Nothing that is to be recovered, or has just been, is replaced, whatever --overwrite says.
    ///
    /// - Parameter made: what has been recovered so far, by the new movies.
    private func refuse(
        _ target: FilePath, for input: FilePath, among inputs: [FilePath], _ made: [FilePath: FilePath]
    ) throws {
        let place = output == nil ? "folder" : "file"
        if inputs.contains(where: { $0.isSameFile(as: target) }) {
            throw RushesError(
                .fileExists, on: target.string,
                "\(target.wireText) is \(inputs.count == 1 ? "the movie itself" : "one of the movies"); name another \(place), "
                    + "or use --in-place.")
        }
        if let other = made[target.lexicallyNormalized()] {
            throw RushesError(
                .fileExists, on: target.string,
                "\(target.wireText) already exists, made of \(other.wireText); recover \(input.wireText) into another folder."
            )
        }
    }

    private func recover(_ input: FilePath, to target: FilePath?) async throws -> RecoveredMovie {
        guard let target else {
            return try await CopyDisplay.during(input.wireText, style: progress.style) { _ in
                try MovieRecovery.recover(input)
            }
        }
        if output != nil { try refuseOtherContainer(target, form: MovieForm(input)) }
        try MovieDestination(target, replacesExisting: overwrite).check(needing: 0)
        let overwrite = overwrite
        return try await CopyDisplay.during(input.wireText, style: progress.style) { progress in
            try MovieRecovery.recover(input, to: target, replacing: overwrite, progress: progress)
        }
    }

    /// `nil` for the file itself.
    private func target(_ input: FilePath) -> FilePath? {
        if inPlace { return nil }
        if let output { return FilePath(typed: output) }
        let own = MovieRecovery.defaultOutput(for: input)
        guard let outputDirectory, let name = input.lastComponent else { return own }
        return FilePath(typed: outputDirectory).appending(name)
    }

    private func words(_ movie: RecoveredMovie) -> String {
        let content =
            movie.framesRecovered > 0 || movie.samplesRecovered == 0
            ? "\(Words.count(movie.framesRecovered, "frame")), " : ""
        return "\(movie.output): \(Words.clock(movie.duration)), \(content)\(lost(movie))"
    }

    /// "nothing lost", "12 kB at 0:04.9 lost", "60 kB at 3 places from 0:04.9 to 1:20.0 and 2 MB at the end lost".
    private func lost(_ movie: RecoveredMovie) -> String {
        func size(_ losses: [LostRange]) -> String { Words.size(Int64(clamping: losses.reduce(0) { $0 + $1.size })) }
        let inside = movie.losses.filter { $0.time < movie.duration }
        let behind = movie.losses.filter { $0.time >= movie.duration }
        var parts: [String] = []
        if let first = inside.first, let last = inside.last {
            let (from, to) = (Words.clock(first.time), Words.clock(last.time))
            parts.append(
                inside.count == 1
                    ? "\(size(inside)) at \(from)" : "\(size(inside)) at \(inside.count) places from \(from) to \(to)")
        }
        if !behind.isEmpty, movie.otherMovie == nil { parts.append("\(size(behind)) at the end") }
        let words = parts.isEmpty ? "nothing lost" : "\(parts.joined(separator: " and ")) lost"
        return movie.otherMovie.map { "\(words); the other movie that begins at byte \($0) is left out" } ?? words
    }
}

/// How far a copy or the reading of a movie is, where it takes its time.
struct CopyProgressOptions: ParsableArguments {
    @Option(
        name: .customLong("progress"),
        help: ArgumentHelp(
            "How progress is shown on standard error, where it takes its time; auto is a bar on a terminal, else plain lines.",
            valueName: "style"))
    var style: ProgressStyle = .auto
}
