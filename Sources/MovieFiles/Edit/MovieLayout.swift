/// Where the parts of a finished movie lie in its file.
struct MovieLayout {
    var isQuickTime = false
    var moov: TopLevelBoxes.Entry
    /// Where the room ends that the index may take: itself, and the free space behind it.
    var roomEnd: UInt64
    /// Every top-level box.
    var boxes: [TopLevelBoxes.Entry]

    /// More boxes than a finished movie ever has.
    private static let maximumCount = 10_000

    /// - Throws: `unsupported` where the movie is in fragments, the file not whole or another movie behind it, `notAMovie`, `invalidBox`.
    init(_ file: ReadableFile) throws(MovieFileError) {
        var scan = TopLevelBoxes(file)
        boxes = []
        while let entry = try scan.next() {
            guard entry.type != "moof" else {
                throw .unsupported(
                    reason: "it is still in fragments; recover it first, which makes it a finished movie")
            }
            guard entry.isWhole, entry.header.size != nil, boxes.count < Self.maximumCount else {
                if entry.type != "moov", !boxes.contains(where: { $0.type == "moov" }) { throw scan.missingIndex }
                let fault = entry.isWhole ? "has no size, so that nothing can follow it" : "is not whole"
                throw .invalidBox(entry.type, offset: entry.offset, reason: "it \(fault)")
            }
            if entry.type == "ftyp" { isQuickTime = try entry.hasQuickTimeBrand(file) }
            boxes.append(entry)
        }
        guard let index = boxes.firstIndex(where: { $0.type == "moov" }) else { throw scan.missingIndex }
        guard boxes.last?.end == file.size else { throw .unsupported(reason: "something else follows its last box") }
        if !boxes.contains(where: { $0.type == "ftyp" }) { isQuickTime = true }
        moov = boxes[index]
        // Once this index lies at the end, theirs would be the first, and the other movie be played.
        for other in boxes[(index + 1)...] where other.type == "moov" {
            guard try Self.isCopy(other, of: moov, file) else {
                throw .unsupported(
                    reason:
                        "another movie lies behind it in the file, from byte \(moov.end) on, and would be played instead; "
                        + "'rushes transcode --preset copy' makes a file of this one alone")
            }
        }
        let free: Set<FourCC> = ["free", "skip", "wide"]
        roomEnd = boxes[(index + 1)...].prefix { free.contains($0.type) }.last?.end ?? moov.end
    }

    /// Whether an index is of the same media, as one is that was being written when its program was killed.
    private static func isCopy(
        _ entry: TopLevelBoxes.Entry, of moov: TopLevelBoxes.Entry, _ file: ReadableFile
    ) throws(MovieFileError) -> Bool {
        func media(_ entry: TopLevelBoxes.Entry) throws(MovieFileError) -> [UInt8]? {
            try TopLevelBoxes.load(entry, from: file)["trak"]?["mdia"]?.serialized()
        }
        return try media(entry) == media(moov)
    }
}
