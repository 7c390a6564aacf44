extension MetadataField {
    /// What Matroska's tags call it, the name that is written first ("Matroska Media Container Tag Specifications"). The registry has no names
    /// for cameras, and none for a place in numbers: these are ffmpeg's.
    var matroskaNames: [String] {
        switch self {
        case .title: ["TITLE"]
        case .description: ["DESCRIPTION"]
        case .keywords: ["KEYWORDS"]
        case .creationDate: ["DATE_RECORDED", "COM.APPLE.QUICKTIME.CREATIONDATE", "CREATION_TIME", "DATE"]
        case .make: ["MAKE", "COM.APPLE.QUICKTIME.MAKE"]
        case .model: ["MODEL", "COM.APPLE.QUICKTIME.MODEL"]
        case .software: ["ENCODER"]
        case .location: ["LOCATION", "COM.APPLE.QUICKTIME.LOCATION.ISO6709"]
        case .artist: ["ARTIST"]
        case .album: ["ALBUM"]
        case .genre: ["GENRE"]
        // GStreamer's name for it is the second.
        case .comment: ["COMMENT", "COMMENTS"]
        case .copyright: ["COPYRIGHT"]
        case .trackNumber: ["PART_NUMBER", "TRACK", "TRACKNUMBER"]
        default: commonNames.map { $0.uppercased() }
        }
    }
}
