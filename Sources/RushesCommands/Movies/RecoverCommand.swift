import Threads
import ArgumentParser
import Foundation
import GStreamer
import MovieFiles
import SystemPackage

/// `rushes recover`: complete movies of takes whose recorder died.
struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Complete movies whose recorder died.",
        discussion: """
            Every picture and sound that is whole is kept. The original stays as it is, unless --in-place is given.

            Examples:
              rushes recover take.mov               writes take.recovered.mov
              rushes recover --in-place take.mov    completes the file itself
              rushes recover *.mp4 --output-directory rescued
            """)

    @Argument(help: ArgumentHelp("The movies.", valueName: "file"), completion: .file(extensions: ["mov", "mp4"]))
    var files: [String]
    @Flag(help: "Complete each file itself.") var inPlace = false
    @Option(help: ArgumentHelp("The new movie, of one FILE.", valueName: "file"), completion: .file()) var output:
        String?
    @Option(help: ArgumentHelp("The folder for the new movies.", valueName: "folder"), completion: .directory)
    var outputDirectory: String?
    @Flag(help: "One JSON object a line on standard output.") var json = false

    func validate() throws {
        guard [inPlace, output != nil, outputDirectory != nil].filter({ $0 }).count <= 1 else {
            throw ValidationError("--in-place, --output and --output-directory exclude each other; give one.")
        }
        guard output == nil || files.count == 1 else {
            throw ValidationError("--output is for one movie; use --output-directory for several.")
        }
    }

    func run() async throws {
        var failed = false
        for file in files {
            do {
                let movie = try await recover(FilePath(file))
                StandardStreams.printResult(json ? try JSONText.line(movie) : words(movie))
            } catch let error as MovieFileError {
                failed = true
                StandardStreams.printNote("rushes: \(file): \(error)")
            }
        }
        if failed { throw ExitStatus.failure }
    }

    private func recover(_ input: FilePath) async throws -> RecoveredMovie {
        let target = target(input)
        // A long movie is copied where the file system cannot share its data; that may take its time.
        return try await onOwnThread("rushes-recover") {
            guard let target else { return try MovieRecovery.recoverInPlace(input) }
            return try MovieRecovery.recover(input, to: target)
        }
    }

    /// `nil` for the file itself.
    private func target(_ input: FilePath) -> FilePath? {
        if inPlace { return nil }
        if let output { return FilePath(output) }
        let own = MovieRecovery.defaultOutput(for: input)
        guard let outputDirectory, let name = input.lastComponent else { return own }
        return FilePath(outputDirectory).appending(name)
    }

    private func words(_ movie: RecoveredMovie) -> String {
        let lost =
            movie.bytesLost == 0 ? "nothing lost" : "\(Words.size(Int64(clamping: movie.bytesLost))) at the end lost"
        return "\(movie.output): \(Words.clock(movie.duration)), \(movie.framesRecovered) frames, \(lost)"
    }
}
