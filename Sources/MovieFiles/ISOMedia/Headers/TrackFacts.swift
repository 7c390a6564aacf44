/// What a track tells about itself beside how it is coded.
package struct TrackFacts: Sendable, Hashable {
    /// nil where it is not known.
    package var language: TrackLanguage?
    /// As players list it.
    package var title: String?
    /// Whether players play it without being asked, where there are several of its kind; nil where nobody says.
    package var isDefault: Bool?

    /// A track that tells nothing.
    package init() {}

    /// Of a `trak`.
    init(_ trak: Box) throws(MovieFileError) {
        language = try TrackLanguage(try trak.required("mdia"))
        title = trak.trackName
        isDefault = try trak.required("tkhd").payload.dropFirst(3).first.map { $0 & TrackHeader.enabledFlag != 0 }
    }
}

extension Box {
    /// Puts what is known of a track into its `trak`; the rest stays as it is.
    mutating func write(_ facts: TrackFacts) throws(MovieFileError) {
        if let language = facts.language {
            try edit(["mdia"]) { (mdia: inout Box) throws(MovieFileError) in try mdia.setLanguage(language) }
        }
        if let title = facts.title {
            var userData = self["udta"] ?? Box("udta", children: [])
            userData.replaceOrAppend(Box(type: "name", fileOffset: 0, payload: Array(title.utf8)[...]))
            replaceOrAppend(userData)
        }
        guard let isDefault = facts.isDefault else { return }
        // Players play all enabled audio tracks at once, and offer those of a group as a choice.
        try edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in
            let version = try TrackHeader(tkhd).version
            let flags = tkhd.payload.dropFirst(3).first ?? 0
            let enabled = TrackHeader.enabledFlag
            try tkhd.overwritePayload(at: 3, with: [isDefault ? flags | enabled : flags & ~enabled])
            try tkhd.overwritePayload(at: TrackHeader.alternateGroupOffset(version: version), with: [0, 1])
        }
    }
}
