import Foundation
import MediaTypes

/// What a Matroska file tells about itself, as a movie keeps it (RFC 9559 sections 5.1.2, 5.1.7 and 5.1.8).
enum MatroskaAttributes {
    /// More than anybody makes.
    private static let maximumChapterCount = 10_000
    /// Seconds from 1970 to 2001, which Matroska's date counts from.
    private static let secondsFrom1970To2001 = 978_307_200.0

    /// - Parameter covers: from among its attachments, the front cover first.
    static func metadata(
        _ segment: MatroskaSegment, covers: [CoverArt] = []
    ) throws(MovieFileError) -> MovieMetadata {
        let levels = try texts(segment.tags)
        func tag(_ names: String...) -> String? { names.lazy.compactMap { levels[$0]?.first?.text }.first }
        func tag(_ field: MetadataField) -> String? {
            field.matroskaNames.lazy.compactMap { levels[$0]?.first?.text }.first
        }
        var metadata = MovieMetadata(
            title: segment.info?.text(.title) ?? tag(.title), description: tag(.description), make: tag(.make),
            model: tag(.model), location: tag(.location))
        metadata[.keywords] = tag(.keywords)
        for field in MetadataField.allCases where field.quickTimeKey == nil { metadata[field] = tag(field) }
        let known = Set(MetadataField.allCases.flatMap(\.matroskaNames))
        metadata.others = levels.filter { !known.contains($0.key) && !MovieMetadata.isTechnical($0.key) }
            .compactMap { name, texts in texts.first.map { .init(name: name, text: $0.text) } }
            .sorted { $0.name < $1.name }
        metadata.artist = tag(.artist)
        metadata.artwork = covers.isEmpty ? nil : covers.flatMap(\.item)
        // A song's album has a title of its own, a level above it; so has what a film is a part of, which is no album.
        let isSong = segment.videoTrack == nil && levels["TITLE"]?.first?.level == songLevel
        metadata.album = tag(.album) ?? (isSong ? levels["TITLE"]?.first { $0.level == albumLevel }?.text : nil)
        (metadata.genre, metadata.comment, metadata.copyright) = (tag(.genre), tag(.comment), tag(.copyright))
        // The time zone is in the tags only.
        metadata.creationDate =
            tag("COM.APPLE.QUICKTIME.CREATIONDATE", "DATE_RECORDED").flatMap { MovieDate($0) }
            ?? segment.info?.signed(.dateUTC).map { nanoseconds in
                MovieDate(Date(timeIntervalSince1970: Double(nanoseconds) / 1e9 + secondsFrom1970To2001))
            }
            ?? tag("CREATION_TIME", "DATE").flatMap { MovieDate($0) }
        return metadata
    }

    /// Levels of what a tag is about (RFC 9559 section 5.1.8.1.1.1): of audio a song and its album; of video a film is of the album's.
    private static let (songLevel, albumLevel): (UInt64, UInt64) = (30, 50)

    /// What tags say of the whole, by name: of the level nearest to the file itself first, as one that holds a song says of what album it
    /// is, and a film of which collection; of a level in the file's order.
    private static func texts(_ tags: [Elements]) throws(MovieFileError) -> [String: [(level: UInt64, text: String)]] {
        var texts: [String: [(level: UInt64, text: String)]] = [:]
        for list in tags {
            for tag in list.all(.tag) {
                let tag = try Elements(tag)
                let targets = try tag.inside(.targets)
                let isOfPart = [ElementID.tagTrackUID, .tagEditionUID, .tagChapterUID, .tagAttachmentUID].contains {
                    targets?.unsigned($0) ?? 0 != 0
                }
                guard !isOfPart else { continue }
                let level = targets?.unsigned(.targetTypeValue) ?? albumLevel
                for simple in tag.all(.simpleTag) {
                    let simple = try Elements(simple)
                    guard let name = simple.text(.tagName)?.uppercased(), let text = simple.text(.tagString),
                        !text.isEmpty
                    else { continue }
                    texts[name, default: []].append((level, text))
                }
            }
        }
        // A sort that keeps the order of what is alike.
        return texts.mapValues { list in
            list.enumerated().sorted { ($0.element.level, $0.offset) < ($1.element.level, $1.offset) }.map(\.element)
        }
    }

    /// The time code of the first frame, which a tag of the whole or of the first video track tells (as ffmpeg writes it); nil where none
    /// does, or where nothing says how many frames a second there are.
    static func timeCode(_ segment: MatroskaSegment) -> TimeCode? {
        guard let video = segment.tracks.first(where: { $0.kind == .video }),
            let length = video.defaultDuration.flatMap({ Int(exactly: $0) }), length > 0
        else { return nil }
        let tags = segment.tags.flatMap { $0.all(.tag) }.compactMap { try? Elements($0) }.filter {
            let uid = (try? $0.inside(.targets))?.unsigned(.tagTrackUID) ?? 0
            return uid == 0 || uid == video.uid
        }
        let texts = tags.flatMap { $0.all(.simpleTag) }.compactMap { try? Elements($0) }
            .filter { $0.text(.tagName)?.uppercased() == "TIMECODE" }.compactMap { $0.text(.tagString) }
        return texts.lazy.compactMap { TimeCode($0, rate: Fraction(1_000_000_000, length)) }.first
    }

    /// The chapters of the default edition, or of the first.
    ///
    /// - Parameter origin: When the movie begins, in nanoseconds of the segment.
    /// - Throws: `unsupported` where the chapters are a new order of the movie's parts.
    static func chapters(_ chapters: Elements?, from origin: Int64) throws(MovieFileError) -> [MovieInfo.Chapter] {
        var editions: [Elements] = []
        for edition in chapters?.all(.editionEntry) ?? [] { editions.append(try Elements(edition)) }
        let chosen = editions.first { $0.unsigned(.editionFlagDefault) ?? 0 != 0 } ?? editions.first
        guard let chosen else { return [] }
        guard chosen.unsigned(.editionFlagOrdered) ?? 0 == 0 else {
            throw .unsupported(reason: "its chapters play its parts in another order")
        }
        var found: [MovieInfo.Chapter] = []
        for atom in chosen.all(.chapterAtom).prefix(maximumChapterCount) {
            let atom = try Elements(atom)
            guard atom.unsigned(.chapterFlagHidden) ?? 0 == 0, let start = atom.unsigned(.chapterTimeStart) else {
                continue
            }
            let title = try atom.inside(.chapterDisplay)?.text(.chapString) ?? ""
            found.append(
                .init(
                    start: max(.zero, MediaTime(seconds: (Double(start) - Double(origin)) / 1e9).clamped), title: title)
            )
        }
        return found
    }
}
