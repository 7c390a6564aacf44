/// Subtitles of movies that are joined.
extension MovieSubtitles {
    /// One of the movies, and what of it is shown when.
    package struct JoinedMovie: Sendable {
        package var file: JoinedFile
        package var span: Span

        package init(file: JoinedFile, span: Span) { (self.file, self.span) = (file, span) }
    }

    /// Those of all, at the times of the joined movie: tracks of one language and kind become one.
    ///
    /// - Throws: `MovieFileError` where a file cannot be read.
    package init(joining movies: [JoinedMovie]) throws(MovieFileError) {
        var (tracks, omissions): ([Track], [String]) = ([], [])
        for movie in movies {
            let own: Self
            do throws(MovieFileError) { own = try Self(of: movie.file.content) } catch {
                if case .system = error { throw error }
                omissions.append("The subtitles of \(movie.file.name.wireText) are left out: \(error)")
                continue
            }
            omissions += own.omissions.map { "\(movie.file.name.wireText): \($0)" }
            // Two tracks of one movie stay two.
            var open = Set(tracks.indices)
            for track in own.shown(in: Part([movie.span], delay: 0)) {
                if let place = open.sorted().first(where: { tracks[$0].source.continues(as: track.source) }) {
                    tracks[place].cues += track.cues
                    open.remove(place)
                } else {
                    tracks.append(track)
                }
            }
        }
        self.init(tracks, omissions: omissions)
    }
}

extension MovieSubtitles.Part {
    /// All of a file's, at their own times.
    package static var whole: Self { .init([MovieSubtitles.Span(origin: 0, end: nil)], delay: 0) }
}

extension TrackEntry {
    /// Whether another movie's track of subtitles can be a part of this one.
    fileprivate func continues(as other: TrackEntry) -> Bool {
        (codecID, language, roles) == (other.codecID, other.language, other.roles)
            && codecPrivate == other.codecPrivate
    }
}
