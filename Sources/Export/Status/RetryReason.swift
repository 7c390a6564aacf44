import GStreamer
import MediaDecoding
import SystemPackage

/// Something that failed in the middle of an export and that the export can do without: it begins again from its start.
struct RetryReason: Error {
    enum Part: Sendable, Hashable {
        case hardwareEncoder
        case hardwareDecoder
        case seeking
        /// The usual timeout with streams that begin late.
        case usualTimeout
        /// Copying what would do as it begins.
        case copying
        /// GStreamer's demuxer and decoder: libavformat and libavcodec make this of the file.
        case demuxer(DecodedMedia)
    }

    var part: Part
    /// A sentence for people.
    var note: String?
}

extension RetryReason {
    init(encoderFailed failure: GStreamerError) {
        self.init(
            part: .hardwareEncoder,
            note: "\(failure.element) failed (\(failure.message)); the processor encoded instead.")
    }
}

/// What one export does without, after it has failed there. The next export tries it again: what one file asks of the
/// hardware says nothing about the others.
struct RetryReasons: Sendable {
    private(set) var parts: Set<RetryReason.Part> = []
    private(set) var notes: [String] = []

    func contains(_ part: RetryReason.Part) -> Bool { parts.contains(part) }

    /// What is read of a file in place of what GStreamer fails at; nil where it is read.
    func decoded(of file: InputFile) -> DecodedMedia? {
        parts.lazy.compactMap {
            if case .demuxer(let media) = $0, media.isOf(FilePath(file.location)) { media } else { nil }
        }
        .first
    }

    /// - Returns: whether this is new, so that it is worth beginning again.
    mutating func insert(_ reason: RetryReason) -> Bool {
        guard parts.insert(reason.part).inserted else { return false }
        if let note = reason.note { notes.append(note) }
        return true
    }
}
