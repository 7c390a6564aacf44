import ArgumentParser
import MovieFiles

extension TrackChange {
    /// Reads what is to be changed of a track: "2,language=de,title=With the director,default".
    ///
    /// - Throws: a `ValidationError`.
    init(_ text: String, _ kind: Kind) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let number = Int(parts[0]), number > 0 else {
            throw ValidationError(
                "'\(text)' begins with no track's number; 'rushes info' lists the tracks, as in --\(kind.rawValue)-track 2,language=de."
            )
        }
        self.init(kind, number)
        for part in parts.dropFirst() {
            let (name, value) = (part.prefix { $0 != "=" }, part.drop { $0 != "=" }.dropFirst())
            switch name {
            case "language" where part.contains("="):
                guard let language = Language(String(value)) else {
                    throw ValidationError("'\(value)' is not a language; give a code such as de, deu or pt-BR, or und.")
                }
                self.language = language
            case "title" where part.contains("="): title = String(value)
            case "default" where ["", "yes", "no"].contains(value): isDefault = value != "no"
            case _ where ["", "yes", "no"].contains(value) && Self.namedRoles[String(name)] != nil:
                set(Self.namedRoles[String(name)] ?? [], value != "no")
            // A title has commas of its own.
            case _ where title != nil: title? += "," + part
            default:
                throw ValidationError(
                    "A track's number may be followed by language=de, title=TEXT, and default, \(Self.roleNames), each with or without =no, not '\(part)'."
                )
            }
        }
        guard title != nil || language != nil || isDefault != nil || !roles.union(endedRoles).isEmpty else {
            throw ValidationError(
                "'\(text)' changes nothing; put language=de, title=TEXT or default after the number, with commas.")
        }
    }

    /// As ffmpeg calls its dispositions and mkvpropedit its flags.
    private static let namedRoles: [String: TrackRoles] = [
        "forced": .forced, "hearing-impaired": .hearingImpaired, "visual-impaired": .visuallyImpaired,
        "commentary": .commentary, "original": .original, "dub": .dub,
    ]
    private static let roleNames = namedRoles.keys.sorted().joined(separator: ", ")
}
