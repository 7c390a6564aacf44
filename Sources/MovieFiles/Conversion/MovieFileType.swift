/// The two kinds of movie file that this module writes.
public enum MovieFileType: String, Codable, Sendable, Hashable, CaseIterable {
    /// QuickTime (Apple, "QuickTime File Format").
    case mov
    /// MP4 (ISO/IEC 14496-14).
    case mp4

    /// The name for people.
    package var displayName: String {
        switch self {
        case .mov: "QuickTime"
        case .mp4: "MP4"
        }
    }
}

extension MovieFileType {
    /// The `ftyp` box of a new file (ISO/IEC 14496-12 section 4.3; QuickTime File Format, "The File Type Compatibility Atom").
    ///
    /// - Parameter hasSignedOffsets: Whether composition offsets may be negative, which readers of the first edition do not
    ///   know.
    func brands(hasSignedOffsets: Bool) throws(MovieFileError) -> Box {
        try Box("ftyp") { (writer: inout ByteWriter) in
            let brands: [FourCC] =
                switch self {
                case .mov: ["qt  ", "qt  "]
                case .mp4:
                    hasSignedOffsets ? ["isom", "isom", "iso4", "mp42"] : ["isom", "isom", "iso2", "mp41", "mp42"]
                }
            writer.append(brands[0])
            writer.append(UInt32(0x200))
            for brand in brands.dropFirst() { writer.append(brand) }
        }
    }
}

extension MovieFileType {
    /// Frames that MP4 has a registered form for (mp4ra.org): ProRes, Motion JPEG and raw frames have none.
    private static let mp4Video: Set<FourCC> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "vp08", "vp09", "mp4v",
        "vvc1", "vvi1",
    ]
    private static let mp4Audio: Set<FourCC> = [
        "mp4a", "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "alac", "ipcm", "fpcm", "samr", "sawb", "dtsc", "dtsh", "dtsl",
        "dtse", "mha1", "mhm1", ".mp3",
    ]
    /// Audio of ISO files that QuickTime has no form for.
    private static let mp4OnlyAudio: Set<FourCC> = ["Opus", "fLaC", "ac-4", "mha1", "mhm1"]
    /// Likewise frames.
    private static let mp4OnlyVideo: Set<FourCC> = ["vp08", "vp09", "vvc1", "vvi1"]

    /// Why a track of the other kind of file cannot be in one of this kind, as the end of a sentence; nil where it can.
    ///
    /// - Parameter isChapters: Whether other tracks name it as their chapters, which both kinds hold as QuickTime's text.
    func refusal(handler: FourCC, format: FourCC, isChapters: Bool) -> String? {
        let what =
            switch (self, handler) {
            case (.mp4, "vide"): Self.mp4Video.contains(format) ? nil : "video"
            case (.mov, "vide"): Self.mp4OnlyVideo.contains(format) ? "video" : nil
            case (.mp4, "soun"): Self.mp4Audio.contains(format) ? nil : "audio"
            case (.mov, "soun"): Self.mp4OnlyAudio.contains(format) ? "audio" : nil
            case (_, "text"), (_, "sbtl"): ["text", "tx3g"].contains(format) ? nil : "text"
            case (.mp4, "subt"), (.mp4, "subp"): nil
            case (.mp4, "meta"): ["mett", "metx", "urim"].contains(format) ? nil : "timed metadata"
            case (.mov, "meta"): format == "mebx" ? nil : "timed metadata"
            case (.mov, "clcp"): nil
            // QuickTime's, and in MP4 what cameras and ffmpeg write.
            case (_, "tmcd"): format == "tmcd" ? nil : "time codes"
            default: "tracks of the kind '\(handler)'"
            } as String?
        return what.map { "\(displayName) cannot hold \($0) as '\(format)'" }
    }
}

extension Box {
    /// Removes references to tracks that are gone from a `trak`.
    mutating func keepReferences(to trackIDs: Set<UInt32>) throws(MovieFileError) {
        try edit(["tref"]) { (tref: inout Box) throws(MovieFileError) in
            for index in (tref.children ?? []).indices {
                guard let child = tref.children?[index] else { continue }
                var reader = ByteReader(child)
                let kept = try reader.readTable(child.payload.count / 4, of: UInt32.self).filter(trackIDs.contains)
                tref.children?[index] = try Box(child.type) { (writer: inout ByteWriter) in writer.append(table: kept) }
            }
            tref.removeChildren { $0.payload.isEmpty }
        }
        removeChildren { $0.type == "tref" && $0.children?.isEmpty != false }
    }
}

/// A track of the original that is not in the copy.
package struct OmittedTrack: Sendable, Hashable {
    /// As in `tkhd`.
    package var trackID: UInt32
    /// The kind of media: `vide`, `soun`, `tmcd`, …
    package var handler: FourCC
    /// How its samples are coded; nil where it does not say.
    package var format: FourCC?
    /// A full sentence.
    package var reason: String
}
