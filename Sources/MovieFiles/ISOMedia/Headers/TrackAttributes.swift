/// What a track tells about itself beside how it is coded.
package struct TrackAttributes: Sendable, Hashable {
    /// nil where it is not known.
    package var language: TrackLanguage?
    /// As players list it.
    package var title: String?
    /// Whether players play it without being asked, where there are several of its kind; nil where nobody says.
    package var isDefault: Bool?
    /// What it is for beside that.
    package var roles: TrackRoles = []

    /// A track that tells nothing.
    package init() {}

    /// Of a `trak`.
    init(_ trak: Box) throws(MovieFileError) {
        language = try TrackLanguage(try trak.required("mdia"))
        title = trak.trackName
        roles = TrackRoles(trak)
        isDefault = try trak.required("tkhd").payload.dropFirst(3).first.map { $0 & TrackHeader.enabledFlag != 0 }
    }
}

extension Box {
    /// Puts what is known of a track into its `trak`; the rest stays as it is.
    mutating func write(_ attributes: TrackAttributes) throws(MovieFileError) {
        if let language = attributes.language {
            try edit(["mdia"]) { (mdia: inout Box) throws(MovieFileError) in try mdia.setLanguage(language) }
        }
        if let title = attributes.title {
            var userData = self["udta"] ?? Box("udta", children: [])
            userData.replaceOrAppend(Box(type: "name", fileOffset: 0, payload: Array(title.utf8)[...]))
            replaceOrAppend(userData)
            try edit(["mdia", "hdlr"]) { (hdlr: inout Box) throws(MovieFileError) in hdlr.nameHandler(title) }
        }
        if !attributes.roles.isEmpty { try setRoles(attributes.roles) }
        if let isDefault = attributes.isDefault { try setEnabled(isDefault, alternateGroup: 1) }
    }

    /// Says what a `trak` is for, in place of what it says; kinds that are no roles stay.
    mutating func setRoles(_ roles: TrackRoles) throws(MovieFileError) {
        var userData = self["udta"] ?? Box("udta", children: [])
        userData.removeChildren { $0.type == "kind" && !TrackRoles(kind: $0).isEmpty }
        userData.children?.append(contentsOf: try roles.boxes())
        removeChildren { $0.type == "udta" }
        if userData.children?.isEmpty == false { children?.append(userData) }
    }

    /// Says of a `trak` whether players play it without being asked. They play all enabled audio tracks at once, and offer those of a group
    /// as a choice.
    ///
    /// - Parameter alternateGroup: which it is put into where it is in none; nil: into none.
    mutating func setEnabled(_ isEnabled: Bool, alternateGroup: UInt16?) throws(MovieFileError) {
        try edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in
            let place = TrackHeader.alternateGroupOffset(version: try TrackHeader(tkhd).version)
            let flags = tkhd.payload.dropFirst(3).first ?? 0
            let enabled = TrackHeader.enabledFlag
            try tkhd.overwritePayload(at: 3, with: [isEnabled ? flags | enabled : flags & ~enabled])
            guard let alternateGroup, tkhd.payload.dropFirst(place).prefix(2).allSatisfy({ $0 == 0 }) else { return }
            var writer = ByteWriter()
            writer.append(alternateGroup)
            try tkhd.overwritePayload(at: place, with: writer.bytes)
        }
    }
}

extension Box {
    /// Names a handler, which is what many programs list a track by: a counted string in QuickTime ("Handler Reference Atoms"), one that ends with a
    /// zero byte in ISO/IEC 14496-12 (8.4.3), where the field that QuickTime calls the component's type is zero.
    fileprivate mutating func nameHandler(_ name: String) {
        let fixed = 24
        guard payload.count >= fixed else { return }
        let text = Array(name.utf8Prefix(255).prefix { $0 != 0 })
        let isCounted = payload.dropFirst(4).prefix(4).contains { $0 != 0 }
        payload = (payload.prefix(fixed) + (isCounted ? [UInt8(text.count)] + text : text + [0]))[...]
    }
}
