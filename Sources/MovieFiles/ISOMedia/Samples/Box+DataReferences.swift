extension Box {
    /// Checks that the samples of a `trak` can be copied: in this file, in the clear, and of a size that is known.
    func expectCopyable(_ entries: [SampleEntry]) throws(MovieFileError) {
        let encrypted: Set<FourCC> = ["encv", "enca", "enct", "encs", "encf", "encm", "drms", "drmi"]
        for entry in entries where encrypted.contains(entry.format) || entry["sinf"] != nil {
            throw .encrypted(entry.format, offset: entry.fileOffset)
        }
        if let dref = descendant("mdia", "minf", "dinf") {
            for reference in try dref.dataReferences() where !reference.isSelfContained {
                throw .unsupported(reason: "its samples lie in another file, which it only refers to")
            }
        }
    }

    /// The entries of `dref` in a `dinf` box (ISO/IEC 14496-12 section 8.7.2).
    func dataReferences() throws(MovieFileError) -> [Box] {
        let children = try Box.boxes(in: payload, at: payloadOffset).boxes
        guard let dref = children.first(where: { $0.type == "dref" }) else { return [] }
        return try Box.boxes(in: dref.payload.dropFirst(8), at: dref.payloadOffset + 8).boxes
    }

    /// Whether a data reference means the file that it stands in: its flag says so, or no other is named.
    private var isSelfContained: Bool {
        payload.count <= 5 || payload.dropFirst(3).first.map { $0 & 1 != 0 } ?? true
    }
}
