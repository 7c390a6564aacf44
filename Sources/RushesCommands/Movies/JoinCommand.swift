import ArgumentParser
import Encoding
import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// `rushes join`: several movies one behind the other, without encoding.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join movies end to end, without encoding.",
        discussion: """
            The movies have to match: codec, size, rotation, and the audio's codec, rate and channels. Every frame and every \
            packet of audio is copied as it is. Video continues without a gap, and audio starts again with each movie: what a \
            decoder needs only to start is hidden at every seam; in Matroska and WebM, which have no edit lists, players built on \
            ffmpeg hide it. Audio that ends before its frames pauses until the next movie's. Chapters follow each other; title, date and time code are the first movie's.

            EXAMPLES
              rushes join a.mov b.mov --output c.mov
              rushes join take-1.mov take-2.mov take-3.mov --output take.mp4
            """)

    @Argument(
        help: ArgumentHelp("The movies, in their order.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]), transform: nonEmpty)
    var files: [String]
    @Option(
        name: [.long, .short],
        help: ArgumentHelp("The movie to write: .mov, .mp4, .mkv or .webm.", valueName: "file"), completion: .file(),
        transform: nonEmpty)
    var output: String
    @Flag(help: "Replace the movie if it exists; the old one stays until the new one is complete.")
    var overwrite = false
    @OptionGroup var progress: CopyProgressOptions

    func validate() throws {
        guard files.count > 1 else { throw ValidationError("One movie alone cannot be joined; name two or more.") }
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let (inputs, target) = (FilePath.typed(files), FilePath(typed: output))
            let destination = MovieDestination(target, replacesExisting: overwrite)
            let kind = try kind(target)
            if let own = inputs.first(where: { $0.isSameFile(as: target) }) {
                throw ValidationError("\(own.wireText) is one of the movies itself; name another file.")
            }
            let size = inputs.reduce(Int64(0)) { $0 + self.size($1) }
            try destination.check(needing: size)
            let overwrite = overwrite
            let joined = try await CopyDisplay.during(target.wireText, style: progress.style) { progress in
                try MovieJoin.join(inputs, to: target, as: kind, replacing: overwrite) { part in
                    progress(part)
                    return true
                }
            }
            for note in joined.notes { StandardStreams.printNote(note) }
            let parts = [
                Words.clock(joined.duration), joined.frameCount.map { Words.count($0, "frame") },
                Words.size(Int64(clamping: joined.fileSize)),
            ].compactMap(\.self)
            StandardStreams.printNote("\(target.wireText): \(files.count) movies, \(parts.joined(separator: ", ")).")
        }
    }

    private func kind(_ target: FilePath) throws -> MovieJoin.Kind {
        if let type = MovieFileType(endingOf: target) { return .movie(type) }
        switch target.extension?.lowercased() {
        case "mkv": return .matroska(isWebM: false)
        case "webm": return .matroska(isWebM: true)
        default: throw ValidationError("Movies are joined to .mov, .mp4, .mkv or .webm; name the file so.")
        }
    }

    private func size(_ path: FilePath) -> Int64 {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 ? Int64(status.st_size) : 0
    }
}
