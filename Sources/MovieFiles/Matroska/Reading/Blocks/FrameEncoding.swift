/// How Matroska has made a track's frames smaller (RFC 9559 section 5.1.4.1.31): mkvmerge does so with images of DVDs and Blu-rays.
struct FrameEncoding: Sendable {
    private enum Step {
        case zlib
        /// The same first bytes of all frames, which are left out.
        case stripped([UInt8])
    }

    /// In the order in which they are undone.
    private let steps: [Step]
    /// Whether what the decoder needs beforehand is made smaller too.
    let coversPrivate: Bool

    /// More than any image has, in bytes.
    private static let maximumSize = 64 << 20

    fileprivate init?(_ encodings: Elements) throws(MovieFileError) {
        var found: [(order: UInt64, step: Step)] = []
        var coversPrivate = false
        for data in encodings.all(.contentEncoding) {
            let encoding = try Elements(data)
            let scope = encoding.unsigned(.contentEncodingScope) ?? 1
            guard encoding.unsigned(.contentEncodingType) ?? 0 == 0 else {
                throw .unsupported(reason: "its subtitles are encrypted")
            }
            coversPrivate = coversPrivate || scope & 2 != 0
            guard scope & 1 != 0 else { continue }
            let compression = try encoding.inside(.contentCompression)
            let step: Step
            switch compression?.unsigned(.contentCompAlgo) ?? 0 {
            case 0: step = .zlib
            case 3: step = .stripped(Array(compression?[.contentCompSettings] ?? []))
            default: throw .unsupported(reason: "its subtitles are compressed in an unsupported way")
            }
            found.append((encoding.unsigned(.contentEncodingOrder) ?? 0, step))
        }
        guard !found.isEmpty else { return nil }
        steps = found.sorted { $0.order > $1.order }.map(\.step)
        self.coversPrivate = coversPrivate
    }

    /// - Throws: `damaged` for what is not compressed so.
    func decoded(_ frame: [UInt8]) throws(MovieFileError) -> [UInt8] {
        var frame = frame
        for step in steps {
            switch step {
            case .stripped(let beginning): frame = beginning + frame
            case .zlib:
                guard let inflated = Zlib.inflated(frame, limit: Self.maximumSize) else {
                    throw .damaged(reason: "one of its subtitles is compressed and damaged")
                }
                frame = inflated
            }
        }
        return frame
    }
}

extension TrackEntry {
    /// nil where frames are in the file as they are.
    ///
    /// - Throws: `unsupported` where nothing here reads them.
    func frameEncoding() throws(MovieFileError) -> FrameEncoding? {
        guard let encodings = try everything.inside(.contentEncodings) else { return nil }
        return try FrameEncoding(encodings)
    }
}
