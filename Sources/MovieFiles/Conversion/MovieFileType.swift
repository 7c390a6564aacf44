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
