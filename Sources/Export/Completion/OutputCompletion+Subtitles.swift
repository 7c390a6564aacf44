import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

extension OutputCompletion {
    /// Completes what a strategy has written: puts subtitles into the file, the input's as a muxer that waits for the next one would hold up
    /// everything else, and its attachments, which Matroska's muxer does not get, and mends what Matroska's muxer says of its length.
    ///
    /// - Throws: `MovieFileError`; ``RushesError`` where the disk takes no second file, and where subtitles that were asked for cannot be added.
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
        if container.isMatroska {
            do { written.size = try await tell(movie) } catch let error as MovieFileError where error.isRefusal {
                written.notes.append("What the movie says of itself is not all in the file: \(error).")
            }
        }
        let hasOwn = context.properties.hasOwnSubtitles || context.properties.carriesImages(to: container)
        let isIncomplete = hasOwn ? container.holdsVideo || container.holdsAttachments : container.holdsAttachments
        let original = isIncomplete && !movie.carriesSubtitles ? context.input.original : nil
        let joined = container.holdsVideo ? context.input.joinedMovies : []
        guard original != nil || !joined.isEmpty || !target.addedSubtitles.isEmpty else { return written }
        let (begin, end) = (written.inputBegin, written.expected.duration)
        let result = try await onOwnThread("rushes-subtitles") {
            (
                added: try add(part, of: original.map { FilePath($0.location) }, joined, from: begin, until: end),
                size: try output.size()
            )
        }
        written.notes += result.added.notes
        guard !result.added.isEmpty else { return written }
        written.size = result.size
        written.expected.duration = max(written.expected.duration, MediaTime(nanoseconds: result.added.end))
        return written
    }

    /// Has Matroska tell what its muxer has no names for.
    ///
    /// - Returns: how large the file is.
    private func tell(_ movie: WrittenMovie) async throws -> Int64 {
        let metadata = movie.isTold ? MovieMetadata() : context.properties.metadata
        let output = output
        let timeCode = container.holdsVideo && target.tempo == 1 ? movie.timeCode : nil
        return try await onOwnThread("rushes-tags") {
            let rewrite = try output.file().withDescriptor {
                try MovieEditing.complete(metadata, timeCode, ofMuxed: $0)
            }
            if let rewrite { try output.replace { _, new in try rewrite(new) } }
            return try output.size()
        }
    }

    /// - Parameters:
    ///   - original: whose subtitles and attachments are not in the file yet.
    ///   - joined: the movies that the file is made of one behind the other.
    ///   - begin: when its first frame or audio is presented, in its own time.
    private func add(
        _ part: MovieSubtitles.Part, of original: FilePath?, _ joined: [MovieSubtitles.JoinedMovie],
        from begin: MediaTime, until end: MediaTime
    ) throws -> MovieSubtitles.Added {
        var contents = OwnContents()
        var notes: [String] = []
        do {
            if let original {
                contents = try OwnContents(
                    of: original, part, from: begin, container, context.properties,
                    fontsAlone: target.settings.stripsMetadata == true)
            } else if !joined.isEmpty {
                contents = try OwnContents(joining: joined)
            }
            notes = contents.omissions
        } catch let error as MovieFileError where error.isRefusal {
            notes = ["The \(contents.name) are left out: \(error)."]
        }
        let areFirst = try writtenSubtitles.isEmpty
        for file in target.addedSubtitles {
            let (shown, late) = try contents.subtitles.append(
                file, part, until: end.nanoseconds, isDefault: areFirst && contents.subtitles.isEmpty)
            notes += file.notes(shown: shown, late: late)
        }
        guard !contents.isEmpty else { return .init(notes: notes) }
        do {
            var added = try contents.add(part, to: output, container)
            added.notes = notes + added.notes
            return added
        } catch let error as MovieFileError where error.isRefusal {
            guard let file = target.addedSubtitles.first else {
                return .init(notes: notes + ["The \(contents.name) are left out: \(error)."])
            }
            throw RushesError(
                .writeFailed, "\(file.name) cannot be added to \(context.destination.path.displayName): \(error)")
        }
    }

    /// Those that are in the file already.
    private var writtenSubtitles: [ChoosableTracks.Track] {
        get throws {
            target.addedSubtitles.isEmpty
                ? [] : try ChoosableTracks(of: try output.file().path, subtitlesOnly: true).subtitles
        }
    }
}

/// What an input has beside video and audio.
private struct OwnContents {
    var subtitles = MovieSubtitles()
    private var attached = AttachedFiles()
    /// What is not among them, in full sentences.
    private(set) var omissions: [String] = []

    var isEmpty: Bool { subtitles.isEmpty && attached.isEmpty }
    /// For people.
    var name: String {
        attached.isEmpty ? "subtitles" : subtitles.isEmpty ? "attachments" : "subtitles and attachments"
    }

    /// Nothing.
    init() {}

    /// Blocks.
    init(joining movies: [MovieSubtitles.JoinedMovie]) throws {
        subtitles = try MovieSubtitles(joining: movies)
        omissions = subtitles.omissions
    }

    /// Blocks.
    init(
        of path: FilePath, _ part: MovieSubtitles.Part, from begin: MediaTime, _ container: Container,
        _ properties: InputProperties, fontsAlone: Bool
    ) throws {
        if container.holdsVideo, properties.hasOwnSubtitles {
            subtitles = try MovieSubtitles(of: path, tracks: part.tracks)
        } else if properties.carriesImages(to: container), part.tracks.subtitles == nil {
            subtitles = try MovieSubtitles(transport: path, from: begin)
            if subtitles.isEmpty {
                omissions = ["Image subtitles were left out: libavformat, which reads them, found none."]
            }
        }
        if container.holdsAttachments, properties.hasAttachments || properties.metadata.artwork != nil {
            attached = try AttachedFiles(of: path, artwork: properties.metadata.artwork)
            if fontsAlone { attached = attached.fonts }
        }
        omissions += subtitles.omissions + attached.omissions
    }

    /// Blocks.
    func add(
        _ part: MovieSubtitles.Part, to output: TemporaryOutput, _ container: Container
    ) throws -> MovieSubtitles.Added {
        if container.isMovieFile {
            return try output.file().withDescriptor { try subtitles.add(toMovie: $0, part) }
        }
        let held = container == .webm ? try subtitles.webM() : subtitles
        var added = MovieSubtitles.Added()
        if !held.isEmpty || !attached.isEmpty {
            try output.replace { old, new in
                added = try held.add(toMatroska: old, writingTo: new, part, attaching: attached)
            }
        }
        added.notes += held.omissions.filter { !omissions.contains($0) }
        return added
    }
}
