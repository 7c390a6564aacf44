/// One fact of a movie's metadata, and under which names each scheme keeps it.
enum MetadataField: CaseIterable, Sendable {
    case title, description, keywords, creationDate, make, model, software, location, artist, album, genre, comment,
        copyright
    // What iTunes began to write of music and television; all schemes but QuickTime's have words for these.
    case albumArtist, composer, lyrics, grouping, synopsis, show, network, episodeID, season, episode, trackNumber,
        discNumber

    /// What programs for music write.
    static let ofMusic: [MetadataField] = [
        .title, .artist, .album, .genre, .comment, .copyright, .albumArtist, .composer, .lyrics, .grouping, .synopsis,
        .show, .network, .episodeID, .season, .episode, .trackNumber, .discNumber,
    ]

    /// The key in QuickTime metadata (QuickTime File Format, "QuickTime Metadata Keys"); nil where an MP4's item is in QuickTime too.
    var quickTimeKey: String? {
        switch self {
        case .title: "com.apple.quicktime.title"
        case .description: "com.apple.quicktime.description"
        case .keywords: "com.apple.quicktime.keywords"
        case .creationDate: "com.apple.quicktime.creationdate"
        case .make: "com.apple.quicktime.make"
        case .model: "com.apple.quicktime.model"
        case .software: "com.apple.quicktime.software"
        case .location: "com.apple.quicktime.location.ISO6709"
        case .artist: "com.apple.quicktime.artist"
        case .album: "com.apple.quicktime.album"
        case .genre: "com.apple.quicktime.genre"
        case .comment: "com.apple.quicktime.comment"
        case .copyright: "com.apple.quicktime.copyright"
        case .albumArtist, .composer, .lyrics, .grouping, .synopsis, .show, .network, .episodeID, .season, .episode,
            .trackNumber, .discNumber:
            nil
        }
    }

    /// The type in a movie's user data (QuickTime File Format, "User Data Atoms").
    var userDataType: FourCC? {
        switch self {
        case .title: "©nam"
        case .description: "©des"
        case .keywords: "©key"
        case .creationDate: "©day"
        case .make: "©mak"
        case .model: "©mod"
        case .software: "©swr"
        case .location: "©xyz"
        case .artist: "©ART"
        case .album: "©alb"
        case .genre: "©gen"
        case .comment: "©cmt"
        case .copyright: "©cpy"
        case .albumArtist, .composer, .lyrics, .grouping, .synopsis, .show, .network, .episodeID, .season, .episode,
            .trackNumber, .discNumber:
            nil
        }
    }

    /// The type in an `ilst` of MP4, as iTunes began it; nil where user data is what MP4 cameras write.
    var itemType: FourCC? {
        switch self {
        case .title: "©nam"
        case .description: "desc"
        case .keywords: "keyw"
        case .creationDate: "©day"
        case .software: "©too"
        case .artist: "©ART"
        case .album: "©alb"
        case .genre: "©gen"
        case .comment: "©cmt"
        case .copyright: "cprt"
        case .albumArtist: "aART"
        case .composer: "©wrt"
        case .lyrics: "©lyr"
        case .grouping: "©grp"
        case .synopsis: "ldes"
        case .show: "tvsh"
        case .network: "tvnn"
        case .episodeID: "tven"
        case .season: "tvsn"
        case .episode: "tves"
        case .trackNumber: "trkn"
        case .discNumber: "disk"
        case .make, .model, .location: nil
        }
    }

    /// How that item has it.
    var itemForm: ItemList.Form {
        switch self {
        case .trackNumber, .discNumber: .place
        case .season, .episode: .number
        default: .text
        }
    }

    /// What most kinds of file and programs call it, in small letters, ffmpeg's name first.
    var commonNames: [String] {
        switch self {
        case .title: ["title"]
        case .description: ["description"]
        case .keywords: ["keywords"]
        case .creationDate: ["date", "year"]
        case .make: ["make"]
        case .model: ["model"]
        case .software: ["encoder"]
        case .location: ["location"]
        case .artist: ["artist"]
        case .album: ["album"]
        case .genre: ["genre"]
        case .comment: ["comment"]
        case .copyright: ["copyright"]
        case .albumArtist: ["album_artist", "albumartist", "album artist"]
        case .composer: ["composer"]
        case .lyrics: ["lyrics", "unsyncedlyrics"]
        case .grouping: ["grouping", "contentgroup"]
        case .synopsis: ["synopsis"]
        case .show: ["show"]
        case .network: ["network"]
        case .episodeID: ["episode_id"]
        case .season: ["season_number"]
        case .episode: ["episode_sort"]
        case .trackNumber: ["track", "tracknumber"]
        case .discNumber: ["disc", "discnumber"]
        }
    }

    /// For people.
    var words: String {
        switch self {
        case .creationDate: "date"
        case .make, .model: "camera"
        case .location: "place"
        case .albumArtist: "album artist"
        case .episodeID: "episode's name"
        case .trackNumber: "track number"
        case .discNumber: "disc number"
        default: commonNames.first ?? ""
        }
    }
}

extension MovieMetadata {
    /// In words, all that it tells.
    package var told: [String] {
        words(of: MetadataField.allCases.filter { $0 != .software }) + others.map(\.name)
    }

    /// In words, what a WAV file has no name for.
    package var unknownToWave: [String] {
        words(of: MetadataField.ofMusic.filter { $0.quickTimeKey == nil && ![.trackNumber, .composer].contains($0) })
            + others.map(\.name)
    }

    private func words(of fields: [MetadataField]) -> [String] {
        fields.filter { self[$0] != nil }.map(\.words).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
