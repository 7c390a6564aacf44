import Encoding
import FileSystem
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

extension OutputCompletion {
    /// Completes what a pipeline has written: puts the input's subtitles into the file, as a muxer that waits for the next one would
    /// hold up everything else, and its attachments, which Matroska's muxer does not get, and mends what Matroska's muxer says of its length.
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
        let hasOwn = context.properties.hasOwnSubtitles
        guard hasOwn ? container.holdsVideo || container.holdsAttachments : container.holdsAttachments,
            let file = context.input.original
        else { return written }
        let (location, properties) = (FilePath(file.location), context.properties)
        let result = try await onOwnThread("rushes-subtitles") { () -> (added: MovieSubtitles.Added, size: Int64) in
            var (added, what) = (MovieSubtitles.Added(), "subtitles")
            do {
                let subtitles =
                    container.holdsVideo && hasOwn
                    ? try MovieSubtitles(of: location, tracks: part.tracks) : MovieSubtitles()
                var attached = AttachedFiles()
                if container.holdsAttachments, properties.hasAttachments || properties.metadata.artwork != nil {
                    attached = try AttachedFiles(of: location, artwork: properties.metadata.artwork)
                    what = subtitles.isEmpty ? "attachments" : "subtitles and attachments"
                }
                added.notes = subtitles.omissions + attached.omissions
                if !subtitles.isEmpty || !attached.isEmpty {
                    let more = try subtitles.add(part, to: output, container, attached)
                    (added.end, added.isEmpty, added.notes) = (more.end, more.isEmpty, added.notes + more.notes)
                }
            } catch let error as MovieFileError where error.isRefusal {
                added.notes.append("The \(what) are left out: \(error).")
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
        _ part: Part, to output: TemporaryOutput, _ container: Container, _ attached: AttachedFiles
    ) throws -> Added {
        switch container {
        case .mov, .mp4: return try output.file().withDescriptor { try add(toMovie: $0, part) }
        case .webm: return Added(notes: ["Subtitles are left out: WebM cannot hold them here."])
        default:
            var added = Added()
            try output.replace { old, new in added = try add(toMatroska: old, writingTo: new, part, attaching: attached)
            }
            return added
        }
    }
}
