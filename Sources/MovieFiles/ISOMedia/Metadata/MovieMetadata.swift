/// What a movie tells about itself: who made it, when, where and with what.
///
/// Written as Apple's cameras do, as QuickTime metadata keys (`mdta`, `com.apple.quicktime.*`) in `moov/meta`, and as
/// the user data that older and other readers look for.
public struct MovieMetadata: Hashable, Sendable {
    /// As its maker names it.
    public var title: String?
    /// What it shows.
    public var description: String?
    /// What it can be found by; a file keeps them in one text, with commas between.
    public var keywords: [String]
    /// When the recording began.
    public var creationDate: MovieDate?
    /// The camera's maker.
    public var make: String?
    /// The camera's model.
    public var model: String?
    /// What wrote the movie.
    public var software: String?
    /// Latitude, longitude and where known height in ISO 6709, as `+48.8577+002.2950+035.000/`.
    public var location: String?
    /// Who made the video or audio.
    package var artist: String?
    /// What it is a part of.
    package var album: String?
    /// What kind it is of.
    package var genre: String?
    /// What anybody remarked.
    package var comment: String?
    /// Whose it is.
    package var copyright: String?
    /// Its cover, as an MP4's item keeps images: `data` boxes, and none takes it away. Only those are written; what leaves it out says so.
    package var artwork: [UInt8]?

    /// What is left out is not told.
    public init(
        title: String? = nil, description: String? = nil, keywords: [String] = [], creationDate: MovieDate? = nil,
        make: String? = nil, model: String? = nil, software: String? = nil, location: String? = nil
    ) {
        self.title = title
        self.description = description
        self.keywords = keywords
        self.creationDate = creationDate
        self.make = make
        self.model = model
        self.software = software
        self.location = location
    }
}

/// One fact of a movie's metadata, and under which names each scheme keeps it.
enum MetadataField: CaseIterable, Sendable {
    case title, description, keywords, creationDate, make, model, software, location, artist, album, genre, comment,
        copyright

    /// The key in QuickTime metadata (QuickTime File Format, "QuickTime Metadata Keys").
    var quickTimeKey: String {
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
        }
    }

    /// The type in a movie's user data (QuickTime File Format, "User Data Atoms").
    var userDataType: FourCC {
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
        case .make, .model, .location: nil
        }
    }
}

extension MovieMetadata {
    /// By the names that most kinds of file have for them, in small letters.
    init(named texts: [String: String]) {
        self.init(title: texts["title"])
        (artist, album, genre) = (texts["artist"], texts["album"], texts["genre"])
        (comment, copyright) = (texts["comment"], texts["copyright"])
    }

    /// Takes what is not told yet.
    ///
    /// - Parameter texts: by the names that most kinds of file have for them, in small letters.
    package mutating func fill(named texts: [String: String]) {
        var told = Self(named: texts)
        told.creationDate = (texts["date"] ?? texts["year"]).flatMap { MovieDate($0) }
        for field in MetadataField.allCases where self[field] == nil { self[field] = told[field] }
    }

    /// The text that a file keeps for a field; nil where there is nothing to say.
    subscript(field: MetadataField) -> String? {
        get {
            switch field {
            case .title: title
            case .description: description
            case .keywords: keywords.isEmpty ? nil : keywords.joined(separator: ",")
            case .creationDate: creationDate?.description
            case .make: make
            case .model: model
            case .software: software
            case .location: location
            case .artist: artist
            case .album: album
            case .genre: genre
            case .comment: comment
            case .copyright: copyright
            }
        }
        set {
            switch field {
            case .title: title = newValue
            case .description: description = newValue
            case .keywords:
                keywords = newValue?.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init) ?? []
            case .creationDate: creationDate = newValue.flatMap { MovieDate($0) }
            case .make: make = newValue
            case .model: model = newValue
            case .software: software = newValue
            case .location: location = newValue
            case .artist: artist = newValue
            case .album: album = newValue
            case .genre: genre = newValue
            case .comment: comment = newValue
            case .copyright: copyright = newValue
            }
        }
    }
}
