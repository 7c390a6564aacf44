import Foundation

/// Subtitles as Matroska has them: the text alone, where MP4 and QuickTime put its length before and its style behind it
/// (3GPP TS 26.245 section 5.17; QuickTime File Format, "Text Sample Data").
struct TextBlocks: Sendable {
    /// All texts, one behind the other, and before them other bytes that are made.
    private(set) var bytes = OpusReset.bytes
    /// Of each track.
    private(set) var blocks: [[MatroskaBlock]] = []

    /// In bytes: a text with its style, and those of a movie.
    private static let longest = 1 << 17
    private static let maximumSize = 16 << 20

    /// Reads all texts of a track. What is empty is a pause, and makes no block.
    mutating func add(_ track: PlannedTrack, _ file: ReadableFile) throws(MovieFileError) {
        var added: [MatroskaBlock] = []
        let timing = track.timing
        for (times, text) in try Self.texts(of: track.source, as: track.entry.format, timing, file) {
            let (time, end) = (timing.timestamp(times.lowerBound), times.upperBound)
            added.append(
                MatroskaBlock(
                    source: UInt64(bytes.count), size: UInt32(text.count), time: time, order: Int32(clamping: time),
                    duration: max(1, timing.timestamp(end) - time), track: track.number, flags: [.isMade, .isKey]))
            bytes += text
            guard bytes.count <= Self.maximumSize else {
                throw .unsupported(reason: "its subtitles are too long")
            }
        }
        blocks.append(added)
    }

    /// What the samples show, and when, in the media's ticks; without pauses, and without what edits hide.
    ///
    /// - Parameter format: which of movies' forms the samples have.
    static func texts(
        of track: CopiedTrack, as format: FourCC, _ timing: MatroskaTiming, _ file: ReadableFile
    ) throws(MovieFileError) -> [(times: Range<Int64>, text: [UInt8])] {
        var texts: [(times: Range<Int64>, text: [UInt8])] = []
        for sample in SampleWalk(track.table) {
            let begin = max(Int64(clamping: sample.decodeTime), timing.media.lowerBound)
            let end = min(Int64(clamping: sample.decodeTime + sample.duration), timing.media.upperBound)
            guard end > begin, sample.size > 2 else { continue }
            let bytes = try file.read(upTo: min(Int(sample.size), longest), at: sample.offset)
            guard format == WebVTTSample.format else {
                let text = TextSample.tagged(bytes)
                if !text.isEmpty { texts.append((begin..<end, text)) }
                continue
            }
            for text in WebVTTSample.texts(bytes) {
                let shown = texts.suffix(mostAtOnce).lastIndex { $0.times.upperBound == begin && $0.text == text }
                if let shown {
                    texts[shown].times = texts[shown].times.lowerBound..<end
                } else {
                    texts.append((begin..<end, text))
                }
            }
        }
        return texts
    }

    /// Texts of WebVTT that are shown together.
    private static let mostAtOnce = 32
}
