/// A track of a Matroska file in another one, as it is there: the same bytes, and all that the file says of it. Subtitles are kept so, and
/// frames and audio that no movie holds.
struct KeptTrack: Sendable {
    /// Among the original's tracks.
    let id: UInt32
    /// From 1.
    let number: UInt8
    let blocks: [MatroskaBlock]
    /// When the last of them has been shown, in nanoseconds from the file's beginning; 0 where nothing tells.
    let end: Int64
    /// Where the file says how opaque its frames are, by where these lie.
    let transparency: [UInt64: FrameTable.Place]
    private let source: TrackEntry

    var kind: TrackEntry.Kind? { source.kind }

    /// - Parameters:
    ///   - transparency: Where the file says how opaque its frames are, by where these lie.
    ///   - shift: How much later than in the movie everything is, in nanoseconds.
    init(
        _ own: MatroskaMovie.OwnTrack, number: UInt8, transparency: [UInt64: FrameTable.Place] = [:], shift: Int64
    ) throws(MovieFileError) {
        (id, source, self.number, self.transparency) = (own.id, own.source, number, transparency)
        if own.source.kind == .subtitle {
            (blocks, end) = Self.subtitles(own, number, shift)
        } else {
            (blocks, end) = try Self.media(own, number, transparency, shift)
        }
    }

    /// In the order in which they are shown.
    private static func subtitles(
        _ own: MatroskaMovie.OwnTrack, _ number: UInt8, _ shift: Int64
    ) -> (blocks: [MatroskaBlock], end: Int64) {
        let frames = own.frames
        var blocks: [MatroskaBlock] = []
        var (end, latest) = (Int64(0), own.origin)
        for index in 0..<frames.count {
            // One that shares its block with another is shown with it.
            if frames.times[index] != FrameTable.unknown { latest = frames.times[index] * Int64(own.scale) }
            let duration = own.duration(of: index)
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
        // Those that are shown together may lie in any order, and a sort of ours may not change it.
        let sorted = blocks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return (sorted.map(\.element), end)
    }

    /// In the file's order, which is that of decoding.
    private static func media(
        _ own: MatroskaMovie.OwnTrack, _ number: UInt8, _ transparency: [UInt64: FrameTable.Place], _ shift: Int64
    ) throws(MovieFileError) -> (blocks: [MatroskaBlock], end: Int64) {
        let (frames, told) = (own.frames, own.source.defaultDuration)
        let (scale, begin) = (Int64(own.scale), own.origin - shift)
        let times = try frames.frameTimes(told: told, scale: own.scale).map { $0 * scale - begin }
        var blocks: [MatroskaBlock] = []
        blocks.reserveCapacity(times.count)
        for (index, time) in times.enumerated() {
            let milliseconds = Self.milliseconds(max(0, time))
            var block = MatroskaBlock(
                source: frames.offsets[index], size: frames.sizes[index], time: milliseconds,
                order: Int32(clamping: milliseconds), padding: Int32(clamping: frames.discards[index] ?? 0),
                track: number, flags: frames.isKey[index] || own.source.kind == .audio ? .isKey : [])
            block.transparencySize = transparency[block.source]?.size ?? 0
            // One in a group, which a length asks for, is a key frame unless it names others (RFC 9559 section 10.3).
            if block.flags.contains(.isKey) || block.transparencySize > 0 {
                block.duration = Self.milliseconds(own.duration(of: index))
            }
            blocks.append(block)
        }
        // Each has to be there before those are shown that follow it.
        for index in blocks.indices.dropLast().reversed() {
            blocks[index].order = min(blocks[index].order, blocks[index + 1].order)
        }
        let sorted = times.sorted()
        guard let last = sorted.last else { return ([], 0) }
        let usual = told.map { Int64(clamping: $0) } ?? (sorted.count > 1 ? last - sorted[sorted.count - 2] : 0)
        let length = own.duration(of: times.lastIndex(of: last) ?? 0)
        let end = last + (length > 0 ? length : usual)
        // A last packet may hold less than the others, which nothing but the length of all tells; TTA's decoder counts by that.
        let movieEnd = own.end.map { $0 - own.origin + shift } ?? end
        return (blocks, movieEnd > last ? min(end, movieEnd) : end)
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt32 {
        UInt32(clamping: (nanoseconds + MatroskaTime.millisecond / 2) / MatroskaTime.millisecond)
    }

    /// Appends its `TrackEntry`.
    func appendEntry(to writer: inout EBMLWriter) { source.append(to: &writer, as: number) }
}

extension MatroskaMovie.OwnTrack {
    /// As its block says, in nanoseconds; 0 where it does not.
    fileprivate func duration(of index: Int) -> Int64 {
        let told = (frames.duration(of: index) ?? 0).multipliedReportingOverflow(by: scale)
        return told.overflow ? 0 : min(Int64(clamping: told.partialValue), MatroskaSegment.maximumTime)
    }
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
