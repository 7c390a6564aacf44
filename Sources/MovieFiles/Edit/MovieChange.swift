import MediaTypes

/// What is to change of what a finished movie says about itself.
package struct MovieChange: Sendable {
    /// What has a value here replaces what the movie says, and an empty text removes it; the rest stays.
    package var metadata: MovieMetadata
    /// In the order of their beginnings; nil leaves those there are, an empty list removes them.
    package var chapters: [MovieInfo.Chapter]?
    /// Of several that make a track the default one, the last counts.
    package var tracks: [TrackChange]
    /// How players show all video of Matroska from now on; nil leaves that. See ``MovieEditing`` for others.
    var orientation: MovieOrientation?

    package init(metadata: MovieMetadata = .init(), chapters: [MovieInfo.Chapter]? = nil, tracks: [TrackChange] = []) {
        (self.metadata, self.chapters, self.tracks) = (metadata, chapters, tracks)
    }
}

/// What is to change of what a track says about itself.
package struct TrackChange: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case video, audio, subtitle
    }

    package var kind: Kind
    /// Which of those of its kind, from 1.
    package var number: Int
    /// An empty text removes it; nil leaves it.
    package var title: String?
    package var language: Language?
    /// Whether players play it without being asked; one that is makes all others of its kind those that are not. nil leaves it.
    package var isDefault: Bool?
    /// What it is for from now on; the rest stays.
    package var roles: TrackRoles = []
    /// What it is for no more.
    package var endedRoles: TrackRoles = []

    package enum Language: Sendable, Hashable {
        case unknown
        case known(TrackLanguage)

        /// - Parameter name: BCP 47, or ISO 639 with two or three letters; `und` and nothing are ``unknown``. nil where it is no language.
        package init?(_ name: String) {
            if ["", "und"].contains(name.lowercased()) {
                self = .unknown
            } else if let language = TrackLanguage(name) {
                self = .known(language)
            } else {
                return nil
            }
        }

        var known: TrackLanguage? {
            if case .known(let language) = self { language } else { nil }
        }
    }

    package init(_ kind: Kind, _ number: Int) { (self.kind, self.number) = (kind, number) }

    /// "audio track 2".
    package var name: String { "\(kind.rawValue) track \(number)" }

    package mutating func set(_ role: TrackRoles, _ isSet: Bool) {
        if isSet {
            roles.insert(role)
            endedRoles.remove(role)
        } else {
            endedRoles.insert(role)
            roles.remove(role)
        }
    }

    /// What it is for when the change is made.
    ///
    /// - Parameter old: what it was for; nothing is both the original and a dub of it.
    func roles(after old: TrackRoles) -> TrackRoles {
        var kept = old.subtracting(endedRoles)
        if roles.contains(.original) { kept.remove(.dub) }
        if roles.contains(.dub) { kept.remove(.original) }
        return kept.union(roles)
    }
}

extension [TrackChange] {
    /// What becomes of the track of a kind and number.
    func merged(_ kind: TrackChange.Kind, _ number: Int) -> TrackChange {
        var merged = TrackChange(kind, number)
        for change in self where change.kind == kind {
            if change.number == number {
                merged.title = change.title ?? merged.title
                merged.language = change.language ?? merged.language
                merged.isDefault = change.isDefault ?? merged.isDefault
                merged.roles = merged.roles.subtracting(change.endedRoles).union(change.roles)
                merged.endedRoles = merged.endedRoles.subtracting(change.roles).union(change.endedRoles)
            } else if change.isDefault == true {
                merged.isDefault = false
            }
        }
        return merged
    }

    /// - Parameters:
    ///   - counts: how many tracks there are, by their kind.
    ///   - possible: what the file can say that a track is for.
    ///   - container: the kind of file, for people.
    /// - Throws: `unsupported` for a track that there is not, and for what cannot be said of it.
    func check(
        _ counts: [TrackChange.Kind: Int], roles possible: TrackRoles, in container: String
    ) throws(MovieFileError) {
        for change in self {
            if let names = change.roles.subtracting(possible).names {
                throw .unsupported(reason: "\(container) has no place for what \(change.name) is to be (\(names))")
            }
            let (kind, count) = (change.kind.rawValue, counts[change.kind] ?? 0)
            guard change.number < 1 || change.number > count else { continue }
            throw .unsupported(
                reason: "it has \(count == 0 ? "no" : String(count)) \(kind) track\(count == 1 ? "" : "s"), "
                    + "so there is no \(kind) track \(change.number) to change")
        }
    }
}
