/// What a track is for beside being played, such as a commentary: Matroska's flags, MP4's kinds, ffmpeg's dispositions.
package struct TrackRoles: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Subtitles that are shown without being asked for.
    package static let forced = TrackRoles(rawValue: 1 << 0)
    package static let hearingImpaired = TrackRoles(rawValue: 1 << 1)
    package static let visuallyImpaired = TrackRoles(rawValue: 1 << 2)
    /// Texts that describe what is seen.
    package static let textDescriptions = TrackRoles(rawValue: 1 << 3)
    /// In the language in which it was made.
    package static let original = TrackRoles(rawValue: 1 << 4)
    package static let dub = TrackRoles(rawValue: 1 << 5)
    package static let commentary = TrackRoles(rawValue: 1 << 6)
    /// Effects and music without speech.
    package static let cleanEffects = TrackRoles(rawValue: 1 << 7)

    /// What MP4 and QuickTime have words for that others read.
    package static let movie: TrackRoles = [.forced, .hearingImpaired, .visuallyImpaired, .dub, .commentary]
    package static let matroska: TrackRoles = movie.union([.textDescriptions, .original])
    package static let webM: TrackRoles = .forced

    private static let names: [(TrackRoles, String)] = [
        (.forced, "forced"), (.hearingImpaired, "for the hearing impaired"),
        (.visuallyImpaired, "for the visually impaired"), (.textDescriptions, "a text description"),
        (.original, "the original language"), (.dub, "dubbed"), (.commentary, "a commentary"),
        (.cleanEffects, "without speech"),
    ]

    /// What is said of the roles that a container has no place for.
    ///
    /// - Parameters:
    ///   - track: such as "audio track 2".
    ///   - container: the kind of file, for people.
    package func omission(of track: String, in container: String) -> String? {
        names.map { "\(container) has no place for what \(track) is for (\($0)), so that is not kept." }
    }

    /// For people, with commas; nil where there are none.
    var names: String? {
        let told = Self.names.filter { contains($0.0) }.map(\.1)
        return told.isEmpty ? nil : told.joined(separator: ", ")
    }
}

/// ISO/IEC 14496-12, 8.10.4, with the roles of DASH (ISO/IEC 23009-1, 5.8.5.5), as ffmpeg and packagers write them.
extension TrackRoles {
    private static let scheme = "urn:mpeg:dash:role:2011"
    private static let kinds: [(TrackRoles, String)] = [
        (.forced, "forced-subtitle"), (.hearingImpaired, "caption"), (.visuallyImpaired, "description"),
        (.dub, "dub"), (.commentary, "commentary"),
    ]

    /// - Parameter trak: its user data says so.
    init(_ trak: Box) {
        self = []
        for kind in trak["udta"]?.all("kind") ?? [] { formUnion(TrackRoles(kind: kind)) }
    }

    /// - Parameter kind: says one; of those that are none here, nothing is.
    init(kind: Box) {
        self = []
        let texts = kind.payload.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
        guard texts.count >= 2, texts[0].elementsEqual(Self.scheme.utf8) else { return }
        for (role, name) in Self.kinds where texts[1].elementsEqual(name.utf8) { insert(role) }
    }

    func boxes() throws(MovieFileError) -> [Box] {
        var boxes: [Box] = []
        for (role, name) in Self.kinds where contains(role) {
            boxes.append(
                try Box(full: "kind") { (writer: inout ByteWriter) in
                    for text in [Self.scheme, name] { writer.append(contentsOf: Array(text.utf8) + [0]) }
                })
        }
        return boxes
    }
}
