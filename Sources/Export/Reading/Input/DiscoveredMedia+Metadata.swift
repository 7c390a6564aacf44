package import GStreamer
package import MovieFiles
package import SystemPackage

extension MovieMetadata {
    /// Takes from a file's tags what is not known yet. Blocks.
    package mutating func fill(from media: DiscoveredMedia, of path: FilePath) {
        let windows = ((try? ASFTags(reading: path)) ?? nil)?.metadata
        if let windows {
            if windows.covers.count > covers.count { artwork = windows.artwork }
            fill(from: windows)
        }
        if let tags = RealTags.read(path) { fill(from: tags) }
        title = title ?? media.title
        // Of Windows Media that is the comment already.
        description = description ?? (windows == nil ? media.tag("description") : nil)
        comment = comment ?? media.tag("comment")
        artist = artist ?? media.tag("artist")
        album = album ?? media.tag("album")
        genre = genre ?? media.tag("genre") ?? ID3Genre.late(in: path)
        copyright = copyright ?? media.tag("copyright")
        fill(named: media.music)
        fill(others: media.extendedComments)
        creationDate = creationDate ?? media.tag("datetime").flatMap { MovieDate($0) }
        make = make ?? media.tag("device-manufacturer")
        model = model ?? media.tag("device-model")
        if let tags = (try? WaveTags(reading: path)) ?? nil { fill(from: tags.metadata) }
        if let tags = (try? AIFFTags(reading: path)) ?? nil { fill(from: tags.metadata) }
        if let tags = (try? FLVTags.read(path)) ?? nil { fill(from: tags) }
        if let tag = MovieMetadata(id3TagOf: path) {
            // Of several tags, and of covers whose bytes were changed on the way into one, GStreamer (1.22) hands on one.
            if tag.covers.count > covers.count { artwork = tag.artwork }
            fill(from: tag)
        }
        if let tag = APETag(reading: path) { fill(from: tag.metadata) }
        fill(named: CommentChapters.brokenTexts(of: path))
        fill(others: CommentChapters.texts(of: path))
    }
}

extension DiscoveredMedia {
    /// Its covers, the front cover first, each once: of several tags GStreamer (1.22) hands on those of the later ones with each.
    package var covers: [CoverArt] {
        images.compactMap { CoverArt($0) }.reduce(into: []) { covers, cover in
            if !covers.contains(cover) { covers.append(cover) }
        }
    }

    /// Its covers, as an MP4's item has them; nil where there are none.
    var artwork: [UInt8]? { covers.isEmpty ? nil : covers.flatMap(\.item) }

    /// In words, what of its tags nothing here writes.
    var unkept: [String] { images.contains { CoverArt($0) == nil } ? ["cover"] : [] }

    /// What GStreamer has tags of its own for, by ffmpeg's names.
    fileprivate var music: [String: String] {
        func place(_ number: String, _ count: String) -> String? {
            tag(number).map { number in tag(count).map { "\(number)/\($0)" } ?? number }
        }
        let texts = [
            "album_artist": tag("album-artist"), "composer": tag("composer"), "lyrics": tag("lyrics"),
            "grouping": tag("grouping"), "show": tag("show-name"), "season_number": tag("show-season-number"),
            "episode_sort": tag("show-episode-number"), "track": place("track-number", "track-count"),
            "disc": place("album-disc-number", "album-disc-count"),
        ]
        return texts.compactMapValues(\.self)
    }
}
