import Encoding
import FileSystem
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

extension OutputCompletion {
    /// Completes what a pipeline has written: puts the input's subtitles into the file, as a muxer that waits for the next one would
    /// hold up everything else, and mends what Matroska's muxer says of its length.
    ///
    /// - Throws: `MovieFileError`; ``RushesError`` where the disk takes no second file.
    func withSubtitles(_ movie: WrittenMovie) async throws -> WrittenMovie {
        guard let part = movie.subtitles else { return movie }
        var written = movie
        let (container, output) = (container, output)
        if container.isMatroska, written.latestBeginning > .zero {
            let (missing, duration) = (written.latestBeginning, written.expected.duration)
            try await onOwnThread("rushes-length") {
                try output.file().withDescriptor {
                    try MatroskaDuration.correct(missing: missing.nanoseconds, to: duration.nanoseconds, in: $0)
                }
            }
        }
        guard container.holdsVideo, context.properties.hasOwnSubtitles, let file = context.input.original else {
            return written
        }
        let location = FilePath(file.location)
        let result = try await onOwnThread("rushes-subtitles") { () -> (added: MovieSubtitles.Added, size: Int64) in
            var added = MovieSubtitles.Added()
            do {
                let subtitles = try MovieSubtitles(of: location, tracks: part.tracks)
                added.notes = subtitles.omissions
                if !subtitles.isEmpty {
                    let more = try subtitles.add(part, to: output, container)
                    (added.end, added.isEmpty, added.notes) = (more.end, more.isEmpty, added.notes + more.notes)
                }
            } catch let error as MovieFileError where error.isRefusal {
                added.notes.append("The subtitles are left out: \(error).")
            }
            return (added, try output.size())
        }
        written.notes += result.added.notes
        guard !result.added.isEmpty else { return written }
        written.size = result.size
        written.expected.duration = max(written.expected.duration, MediaTime(nanoseconds: result.added.end))
        return written
    }
}

extension MovieSubtitles {
    /// Blocks.
    fileprivate func add(
        _ part: Part, to output: TemporaryOutput, _ container: Container
    ) throws -> Added {
        switch container {
        case .mov, .mp4: return try output.file().withDescriptor { try add(toMovie: $0, part) }
        case .webm: return Added(notes: ["Subtitles are left out: WebM cannot hold them here."])
        default:
            var added = Added()
            try output.replace { old, new in added = try add(toMatroska: old, writingTo: new, part) }
            return added
        }
    }
}
