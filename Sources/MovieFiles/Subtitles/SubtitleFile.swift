package import Errors
import Foundation
package import MediaTypes
package import SystemPackage

/// A file of subtitles alone, to become a track of a movie.
package struct SubtitleFile: Sendable {
    /// Without its folder.
    package let name: String
    /// nil where nobody says it.
    package let language: TrackLanguage?
    let roles: TrackRoles
    let codecID: String
    /// What its decoder needs beforehand; may be empty.
    let configuration: [UInt8]
    /// Times count from the movie's beginning.
    let cues: [MovieSubtitles.Cue]
    /// What of the file no track holds, in full sentences.
    package let omissions: [String]

    /// Whether they are images and not letters.
    package var isBitmap: Bool { codecID == "S_HDMV/PGS" }
    static let webVTT = MatroskaCodec.webVTT

    /// Reads SubRip, WebVTT, SubStation Alpha or Blu-ray's images (SUP), by the file's ending. Blocks.
    ///
    /// - Parameter language: nil: as the file's name says it, such as film.de.srt.
    /// - Throws: ``RushesError`` that says what is wrong with the file.
    package init(_ path: FilePath, language: TrackLanguage?) throws(RushesError) {
        let bytes = try SubtitleStream.bytes(of: path)
        let named = NamedSubtitles(path)
        (name, self.language, roles) = (path.fileName, language ?? named.language, named.roles)
        var (configuration, omissions, unread): ([UInt8], [String], Int) = ([], [], 0)
        switch path.extension?.lowercased() {
        case "sup":
            codecID = "S_HDMV/PGS"
            cues = SubtitleStream.screens(bytes).map {
                .init(begin: $0.begin.nanoseconds, duration: nil, data: $0.data)
            }
        case "ass", "ssa":
            let script = ScriptFile(SubtitleStream.text(bytes))
            codecID = script.isOld ? "S_TEXT/SSA" : "S_TEXT/ASS"
            (configuration, cues, unread) = (Array(script.header.utf8), script.cues, script.unread)
        case "vtt":
            let text = SubtitleStream.text(bytes)
            codecID = Self.webVTT
            let all = TimedText.all(in: text)
            (cues, unread) = (all.texts.map { .init(webVTT: $0) }, all.unread)
            if text.split(separator: "\n").contains(where: { ["STYLE", "REGION"].contains($0.prefix { $0 != " " }) }) {
                omissions.append("The styles and regions of \(name) are left out: they have no place in a track.")
            }
        default:
            codecID = "S_TEXT/UTF8"
            let all = TimedText.all(in: SubtitleStream.text(bytes))
            (cues, unread) = (all.texts.map { .init($0, data: $0.text) }, all.unread)
        }
        if unread > 0 {
            omissions.append(
                "Left out of \(name): \(unread) subtitle\(unread == 1 ? "" : "s") with times that mean nothing."
            )
        }
        (self.configuration, self.omissions) = (configuration, omissions)
        guard !cues.isEmpty else { throw SubtitleStream.empty(path) }
    }

    /// Whether a file's ending is of one that is read here.
    package static func isOne(_ path: FilePath) -> Bool {
        ["srt", "vtt", "ass", "ssa", "sup"].contains(path.extension?.lowercased() ?? "")
    }

    /// How many subtitles there are; of images, how often they change.
    package var count: Int { cues.count }

    /// When the last one ends, or begins where nothing tells its end.
    package var duration: MediaTime {
        MediaTime(nanoseconds: cues.map { $0.begin + ($0.duration ?? 0) }.max() ?? 0)
    }

    /// As ffprobe names what they are coded as.
    package var codec: String { CodecIdentifiers(matroskaID: codecID)?.name ?? codecID }

    /// Whether words of a file's name tell a language and what the subtitles are for, and nothing else.
    ///
    /// - Parameter words: with dots between them, such as "de.forced".
    package static func tell(_ words: Substring) -> Bool {
        NamedSubtitles(words.split(separator: ".", omittingEmptySubsequences: false)[...]).others.isEmpty
    }

    /// What it takes in a movie, about, in bytes.
    package var fileSize: Int64 { MovieSubtitles.fileSize(of: cues) }
}

extension MovieSubtitles.Cue {
    init(_ text: TimedText, data: String) {
        self.init(
            begin: text.begin.nanoseconds, duration: (text.end - text.begin).nanoseconds, data: Array(data.utf8))
    }
}

extension TrackLanguage {
    /// That of a file's name, such as talk.de.wav; nil where that says none.
    package init?(ofFileNamed path: FilePath) {
        guard let language = NamedSubtitles(path).language else { return nil }
        self = language
    }
}

/// What the name of a file of subtitles says of them, as players read it: film.de.srt, film.pt-BR.forced.srt.
struct NamedSubtitles {
    private(set) var language: TrackLanguage?
    private(set) var roles: TrackRoles = []

    private static let words: [String: TrackRoles] = [
        "forced": .forced, "sdh": .hearingImpaired, "cc": .hearingImpaired, "default": [],
    ]

    /// What of it says neither.
    private(set) var others: ArraySlice<Substring> = []

    /// The movie's name comes first, and the ending last.
    init(_ path: FilePath) { self.init(path.fileName.split(separator: ".").dropFirst().dropLast()) }

    init(_ parts: ArraySlice<Substring>) {
        var parts = parts
        defer { others = parts }
        while let role = parts.last.flatMap({ Self.words[$0.lowercased()] }) {
            roles.formUnion(role)
            parts.removeLast()
        }
        // Languages without a code of two letters are rare, and words like theirs are not: "new", "car".
        guard let named = parts.last.flatMap({ TrackLanguage(String($0)) }),
            let code = named.tag.split(separator: "-").first, code.utf8.count == 2,
            Locale.LanguageCode(String(code)).isISOLanguage
        else { return }
        language = named
        parts.removeLast()
    }
}
