/// RFC 9559, 5.1.4.1.6 to 5.1.4.1.11.
extension TrackRoles {
    static let flags: [(TrackRoles, ElementID)] = [
        (.forced, .flagForced), (.hearingImpaired, .flagHearingImpaired), (.visuallyImpaired, .flagVisualImpaired),
        (.textDescriptions, .flagTextDescriptions), (.original, .flagOriginal), (.commentary, .flagCommentary),
    ]

    /// - Parameter entry: a `TrackEntry`.
    init(_ entry: Elements) {
        self = []
        for (role, id) in Self.flags where entry.unsigned(id) ?? 0 != 0 { insert(role) }
        // What says that it is not the original is a dub, as ffmpeg reads and writes it.
        if entry.unsigned(.flagOriginal) == 0 { insert(.dub) }
    }

    /// Appends its elements to a `TrackEntry`.
    func append(to entry: inout EBMLWriter) {
        for (role, id) in Self.flags where contains(role) { entry.unsigned(id, 1) }
        if contains(.dub), !contains(.original) { entry.unsigned(.flagOriginal, 0) }
    }

    package var matroskaElements: [UInt8] {
        var writer = EBMLWriter()
        append(to: &writer)
        return writer.bytes
    }
}
