import ArgumentParser
import Foundation
import Rushes
import SystemPackage
import Threads

/// `rushes info`: what is in a movie.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what is in a movie.",
        discussion: """
            QuickTime, MP4, Matroska and WebM files, also those of a recorder that still runs or was killed.

            EXAMPLES
              rushes info take.mov
              rushes info --json take.mov | jq '.video[0].frameCount'
            """)

    @Argument(help: "The movie.", completion: .file()) var file: String
    @Flag(help: "Print one JSON object.") var json = false
    @Flag(help: "Print GStreamer's own words on errors too.") var verbose = false

    func run() async throws {
        let path = FilePath(typed: file)
        try await reportingFailures(verbose: verbose, file: path) {
            let info = try await readInfo(path)
            StandardStreams.printResult(json ? try JSONText.line(info) : InfoText(info).lines.joined(separator: "\n"))
        }
    }

    /// QuickTime and MP4 files from their index alone; every other container through GStreamer.
    private func readInfo(_ path: FilePath) async throws -> MovieInfo {
        do {
            return try await onOwnThread("rushes-info") { try MovieInfo(contentsOf: path) }
        } catch MovieFileError.notAMovie {
            return try await MovieInfo(discovering: path)
        }
    }
}
