/// A top-level box of the muxer's stream that is under way, and what is done with it.
struct StreamedBox {
    let type: FourCC
    /// Where it begins in the file.
    let fileOffset: UInt64
    /// Whether its bytes go to the file as they come.
    private(set) var isWritten = true
    /// Whether its bytes are kept to be read when it is whole.
    private(set) var isCollected = false
    /// The box so far, where it is collected.
    private(set) var collected: [UInt8] = []

    /// More than the first index or that of a fragment ever needs.
    private static let maximumCollectedSize = 64 << 20

    /// - Parameters:
    ///   - isMovieKnown: Whether the first `moov` has come already.
    ///   - isHeadOnly: Whether nothing is wanted but what stands before the first fragment.
    ///   - isBranded: Whether another brand than the muxer's is to be written.
    init(
        _ type: FourCC, at fileOffset: UInt64, isMovieKnown: Bool, isHeadOnly: Bool = false, isBranded: Bool = false
    ) {
        self.type = type
        self.fileOffset = fileOffset
        switch type {
        case _ where isHeadOnly && type != "ftyp" && type != "moov": isWritten = false
        case "moov":
            // Held back until it is whole and patched. A second one, which a muxer writes when it may seek, and an
            // index of fragments that lie elsewhere by now, would only mislead.
            isWritten = false
            isCollected = !isMovieKnown
        case "mfra":
            isWritten = false
        case "moof":
            // Written at once when it is whole: players that meet half a one at the end refuse the whole file.
            isWritten = false
            isCollected = true
        case "ftyp":
            isCollected = true
            // Written when the movie is known to be a new one.
            isWritten = !isHeadOnly && !isBranded
        default: break
        }
    }

    /// Keeps the next bytes, where they are wanted.
    mutating func collect(_ bytes: UnsafeRawBufferPointer) throws(MovieFileError) {
        guard isCollected else { return }
        collected.append(contentsOf: bytes)
        guard collected.count <= Self.maximumCollectedSize else {
            throw .invalidBox(type, offset: fileOffset, reason: "it is larger than any real one")
        }
    }
}
