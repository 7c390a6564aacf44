/// Subtitles of a Matroska file in another one, whatever they are, text, styled text or frames: the same bytes, and all that
/// the file says of their track.
struct KeptSubtitles: Sendable {
    /// Among the original's tracks.
    let id: UInt32
    /// From 1.
    let number: UInt8
    let blocks: [MatroskaBlock]
    /// When the last of them has been shown, in nanoseconds from the file's beginning; 0 where nothing tells.
    let end: Int64
    private let source: TrackEntry

    /// - Parameter shift: How much later than in the movie everything is, in nanoseconds.
    init(_ own: MatroskaMovie.OwnSubtitles, number: UInt8, shift: Int64) {
        (id, source, self.number) = (own.id, own.source, number)
        let frames = own.frames
        var blocks: [MatroskaBlock] = []
        var (end, latest) = (Int64(0), own.origin)
        for index in 0..<frames.count {
            // One that shares its block with another is shown with it.
            if frames.times[index] != FrameTable.unknown { latest = frames.times[index] * Int64(own.scale) }
            let told = (frames.duration(of: index) ?? 0).multipliedReportingOverflow(by: own.scale)
            let duration = told.overflow ? 0 : min(Int64(clamping: told.partialValue), MatroskaSegment.maximumTime)
            let begin = latest - own.origin + shift
            // What was over when the movie begins is never seen.
            if duration > 0, begin + duration <= 0 { continue }
            let time = Self.milliseconds(max(0, begin))
            var block = MatroskaBlock(
                source: frames.offsets[index], size: frames.sizes[index], time: time, order: Int32(clamping: time),
                track: number, flags: .isKey)
            if duration > 0 { block.duration = max(1, Self.milliseconds(begin + duration) - time) }
            end = max(end, begin + duration)
            blocks.append(block)
        }
        self.end = end
        // Those that are shown together may lie in any order, and a sort of ours may not change it.
        self.blocks = blocks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt32 {
        UInt32(clamping: (nanoseconds + MatroskaTime.millisecond / 2) / MatroskaTime.millisecond)
    }

    /// Appends its `TrackEntry`.
    func appendEntry(to writer: inout EBMLWriter) { source.append(to: &writer, as: number) }
}

extension TrackEntry {
    /// What names the track within its own file, other tracks there, or checks the bytes.
    private static let replaced: Set<UInt32> = Set(
        [ElementID.trackNumber, .trackUID, .trackOverlay, .trackTranslate, .crc32, .void].map(\.rawValue))

    /// Appends all that is said of it to another file, where it has a number of that file.
    func append(to writer: inout EBMLWriter, as number: UInt8) {
        writer.master(.trackEntry) { entry in
            entry.unsigned(.trackNumber, UInt64(number))
            entry.unsigned(.trackUID, UInt64(number))
            for (rawID, data) in everything.everything where !Self.replaced.contains(rawID) {
                entry.data(rawID: rawID, data)
            }
        }
    }
}
