import Foundation
import MediaTypes

/// Names and values as Vorbis has them ("Ogg Vorbis I format specification: comment field and header specification"), which FLAC and Opus have
/// too; chapters as most players read them.
enum VorbisComments {
    /// As many chapters as there is room for beside all else.
    ///
    /// - Parameters:
    ///   - room: for chapters, in bytes.
    ///   - hasImages: whether covers are among the comments.
    /// - Returns: what of the room is left, too.
    static func fitting(
        _ attributes: AudioFileAttributes, room: Int, hasImages: Bool = false
    ) -> (bytes: [UInt8], padding: Int) {
        let images = hasImages ? images(attributes.metadata.covers) : []
        let bare = bytes(attributes.metadata, [], images)
        var chapters = attributes.chapters
        var comments = bytes(attributes.metadata, chapters, images)
        while comments.count - bare.count > room {
            chapters.removeLast()
            comments = bytes(attributes.metadata, chapters, images)
        }
        return (comments, room - (comments.count - bare.count))
    }

    private static func bytes(
        _ metadata: MovieMetadata, _ chapters: [MovieInfo.Chapter], _ images: [[UInt8]]
    ) -> [UInt8] {
        bytes(vendor: Array("Rushes".utf8), fields(metadata, chapters, hasImages: false) + images)
    }

    /// Each comment, "NAME=text".
    ///
    /// - Parameter hasImages: whether covers are among them.
    static func fields(
        _ metadata: MovieMetadata, _ chapters: [MovieInfo.Chapter], hasImages: Bool
    ) -> [[UInt8]] {
        var texts: [(String, String?)] = [
            ("TITLE", metadata.title), ("ARTIST", metadata.artist), ("ALBUM", metadata.album),
            ("GENRE", metadata.genre), ("DATE", metadata.creationDate?.description), ("COMMENT", metadata.comment),
            ("DESCRIPTION", metadata.description), ("COPYRIGHT", metadata.copyright), ("LOCATION", metadata.location),
            ("ENCODER", metadata.software),
        ]
        for field in MetadataField.ofMusic where field.quickTimeKey == nil {
            texts.append((field.vorbisName, metadata[field]))
        }
        texts += metadata.others.map { ($0.name.replacing("=", with: "_"), $0.text) }
        for (index, chapter) in chapters.enumerated() {
            let digits = "\(index + 1)"
            let name = "CHAPTER" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
            texts += [(name, time(chapter.start)), (name + "NAME", chapter.title)]
        }
        return texts.compactMap { name, text in
            AudioFileAttributes.text(text).map { Array("\(name)=".utf8) + $0 }
        } + (hasImages ? images(metadata.covers) : [])
    }

    /// - Parameter vendor: the name of the encoder.
    static func bytes(vendor: some Collection<UInt8>, _ fields: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: UInt32(vendor.count))
        bytes += vendor
        bytes.append(little: UInt32(fields.count))
        for field in fields {
            bytes.append(little: UInt32(field.count))
            bytes += field
        }
        return bytes
    }

    /// Comments of images, the front cover first (xiph.org, "VorbisComment: METADATA_BLOCK_PICTURE").
    private static func images(_ covers: [CoverArt]) -> [[UInt8]] {
        covers.enumerated().map { index, cover in
            let text = Data(image(cover, isFront: index == 0)).base64EncodedString()
            return Array("METADATA_BLOCK_PICTURE=\(text)".utf8)
        }
    }

    /// An image as FLAC describes it (RFC 9639, section 8.8).
    static func image(_ cover: CoverArt, isFront: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(UInt32(isFront ? 3 : 0))
        writer.append(UInt32(cover.mediaType.utf8.count))
        writer.append(contentsOf: cover.mediaType.utf8)
        // No description; width, height, depth and colors are not told.
        for _ in 0..<5 { writer.append(UInt32(0)) }
        writer.append(UInt32(clamping: cover.image.count))
        writer.append(contentsOf: cover.image)
        return writer.bytes
    }

    /// "00:01:30.500".
    private static func time(_ time: MediaTime) -> String {
        let milliseconds = max(0, time.nanoseconds / 1_000_000)
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = "\(value)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(milliseconds / 1000 % 60, 2))."
            + digits(milliseconds % 1000, 3)
    }
}

extension MetadataField {
    /// As programs for music call it in Vorbis' comments.
    var vorbisName: String {
        switch self {
        case .albumArtist: "ALBUMARTIST"
        case .trackNumber: "TRACKNUMBER"
        case .discNumber: "DISCNUMBER"
        default: commonNames[0].uppercased()
        }
    }
}
