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
    /// What else there is a field for.
    var more: [MetadataField: String] = [:]
    /// What no field is for, under the names that the file has for it.
    package var others: [Other] = []
    /// What a recorder of the film and broadcast trades says of a WAV file, which another one of those keeps.
    package var broadcast: BroadcastWave?
    /// What it says of scene, take and channels, kept likewise.
    package var production: ProductionSound?
    /// Its cover, as an MP4's item keeps images: `data` boxes, and none takes it away. Only those are written; what leaves it out says so.
    package var artwork: [UInt8]?

    /// A text with a name of its own, such as DIRECTOR.
    package struct Other: Hashable, Sendable {
        package var name: String
        package var text: String

        package init(name: String, text: String) { (self.name, self.text) = (name, text) }
    }

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

extension MovieMetadata {
    /// By the names that most kinds of file have for them, in small letters.
    init(named texts: [String: String]) {
        self.init()
        for field in MetadataField.ofMusic + [.description, .location] {
            self[field] = field.commonNames.lazy.compactMap { texts[$0] }.first { !$0.isEmpty }
        }
    }

    /// Takes what is not told yet.
    ///
    /// - Parameter texts: by the names that most kinds of file have for them, in small letters.
    package mutating func fill(named texts: [String: String]) {
        var told = Self(named: texts)
        told.creationDate = (texts["date"] ?? texts["year"]).flatMap { MovieDate($0) }
        for field in MetadataField.allCases where self[field] == nil { self[field] = told[field] }
    }

    /// Takes what stands under any names, as far as it is not told yet: in their fields, or under those names.
    package mutating func fill(others texts: [String: String]) {
        fill(named: Dictionary(texts.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }))
        let own = Set(others.map { $0.name.lowercased() })
        let known = Set(MetadataField.allCases.flatMap(\.commonNames)).union(own)
        // What is no date is a text as any other.
        let dates = Set(MetadataField.creationDate.commonNames).subtracting(own)
        others += texts.filter { name, text in
            let isText =
                !known.contains(name.lowercased()) || dates.contains(name.lowercased()) && MovieDate(text) == nil
            return isText && !Self.isTechnical(name) && !text.isEmpty
        }
        .map { Other(name: $0.key, text: $0.value) }.sorted { $0.name < $1.name }
    }

    /// Leaves out how loud the audio is, as ReplayGain and Opus (RFC 7845, section 5.2.1) tell it.
    package mutating func forgetLoudness() {
        others.removeAll { other in
            ["replaygain_", "r128_"].contains { other.name.lowercased().hasPrefix($0) }
        }
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
            case .albumArtist, .composer, .lyrics, .grouping, .synopsis, .show, .network, .episodeID, .season, .episode,
                .trackNumber, .discNumber:
                more[field]
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
            case .albumArtist, .composer, .lyrics, .grouping, .synopsis, .show, .network, .episodeID, .season, .episode,
                .trackNumber, .discNumber:
                more[field] = newValue
            }
        }
    }
}
