package import MediaTypes
package import SystemPackage

/// The frames of a file's first video track as its index lists them, so that some can be read without the rest.
///
/// QuickTime and MP4, whole or in fragments, and Matroska. The file stays open as long as this object lives.
package final class VideoIndex: Sendable {
    /// One frame, in the order of decoding.
    package struct Frame: Sendable, Hashable {
        /// From the first frame that is shown on.
        package var time: MediaTime
        /// Whether decoding can begin with it, whatever was decoded before.
        package var beginsGroup: Bool
        /// Whether the edit list shows it.
        package var isShown: Bool

        /// As an index lists it.
        package init(time: MediaTime, beginsGroup: Bool, isShown: Bool = true) {
            (self.time, self.beginsGroup, self.isShown) = (time, beginsGroup, isShown)
        }
    }

    /// In the order of decoding.
    package let frames: [Frame]
    /// From the first frame that is shown to the end of the last.
    package let duration: MediaTime
    let original: MovieOriginal
    let track: CopiedTrack
    /// Where each frame lies, and which of the track's sample descriptions it has.
    let places: [(offset: UInt64, description: UInt32)]
    /// Of H.264 and HEVC.
    let record: ParameterSetRecord?

    /// Reads the index, and of H.264 how each sync sample is coded.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, `noSamples`, `system`; `unsupported` for what can only be decoded as a whole.
    package init(_ path: FilePath) throws(MovieFileError) {
        original = try MovieOriginal(path)
        let (source, file) = (original.source, original.file)
        let timescale = try TimeHeader(try source.moov.required("mvhd")).timescale
        let chapters = try source.moov.chapterTrackIDs()
        var found: (track: CopiedTrack, entries: [SampleEntry])?
        for trak in source.moov.all("trak") where found == nil {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "vide",
                !chapters.contains(try TrackHeader(try trak.required("tkhd")).trackID)
            else { continue }
            let stsd = try mdia.required("minf").required("stbl").required("stsd")
            let entries = try SampleEntry.entries(of: stsd, handler: "vide")
            try trak.expectCopyable(entries)
            let track = try CopiedTrack(trak, entries: entries, fileSize: file.size, movieTimescale: timescale)
            if track.table.count > 0 { found = (track, entries) }
        }
        guard let (track, entries) = found else { throw .noSamples }
        self.track = track
        record = try Self.record(entries)
        places = Self.places(track.table)
        let media = try Self.shownMedia(track, movieTimescale: timescale)
        var (frames, last) = ([Frame](), Int64.min)
        var walk = SampleWalk(track.table)
        var times: [(time: Int64, duration: UInt64, isSync: Bool)] = []
        while let sample = walk.next() { times.append((sample.presentationTime, sample.duration, sample.isSync)) }
        guard times.count == places.count else { throw .noSamples }
        let shown = times.lazy.map(\.time).filter { media.contains($0) }
        guard let first = shown.min() else { throw .noSamples }
        for (index, sample) in times.enumerated() {
            var beginsGroup = sample.isSync
            // Of H.264 other sync samples may say that they follow the frames before them, which then are missed.
            if beginsGroup, let record, record.codec == .avc {
                let size = track.table.sizes.total(of: index..<index + 1)
                beginsGroup = try record.isClosed(at: places[index].offset, size: size, file)
            }
            let time = MediaTime(samples: Int(sample.time - first), rate: Int(track.timescale)).clamped
            let isShown = media.contains(sample.time)
            if isShown { last = max(last, sample.time - first + Int64(clamping: sample.duration)) }
            frames.append(Frame(time: time, beginsGroup: beginsGroup, isShown: isShown))
        }
        self.frames = frames
        duration = MediaTime(samples: Int(last), rate: Int(track.timescale)).clamped
    }

    /// How many frames are shown.
    package var shownCount: Int { frames.count { $0.isShown } }

    /// - Throws: `unsupported` where nothing tells how the frames of H.264 or HEVC are coded.
    private static func record(_ entries: [SampleEntry]) throws(MovieFileError) -> ParameterSetRecord? {
        let unknown: Set<FourCC> = ["avc2", "avc3", "avc4", "dvav", "dva1", "dvhe", "dvh1"]
        guard let entry = entries.first, entries.allSatisfy({ !unknown.contains($0.format) }) else {
            throw .unsupported(reason: "its frames carry their own parameter sets")
        }
        guard ParameterSetCodec(format: entry.format) != nil else { return nil }
        guard entries.count == 1, let record = try ParameterSetRecord(entry) else {
            throw .unsupported(reason: "its frames carry their own parameter sets")
        }
        return record
    }

    private static func places(_ table: SampleTable) -> [(offset: UInt64, description: UInt32)] {
        var places: [(offset: UInt64, description: UInt32)] = []
        places.reserveCapacity(table.count)
        for chunk in table.chunks {
            var offset = chunk.offset
            for _ in 0..<chunk.sampleCount {
                let index = places.count
                places.append((offset, chunk.description))
                offset += table.sizes.total(of: index..<index + 1)
            }
        }
        return places
    }

    /// Which part of the media is shown, in the track's timescale.
    ///
    /// - Throws: `unsupported` for several parts, and for other speeds.
    private static func shownMedia(
        _ track: CopiedTrack, movieTimescale: UInt32
    ) throws(MovieFileError) -> ClosedRange<Int64> {
        guard let elst = track.trak.descendant("edts", "elst") else { return .min ... .max }
        let edits = try EditList(elst).edits.filter { $0.mediaTime != nil }
        guard edits.count <= 1, try EditList.areAtNormalSpeed(elst) else {
            throw .unsupported(reason: "its edit list has several parts")
        }
        guard let edit = edits.first, let start = edit.mediaTime.map({ Int64(clamping: $0) }) else {
            return .min ... .max
        }
        guard edit.duration > 0 else { return start ... .max }
        let length = Double(edit.duration) / Double(movieTimescale) * Double(track.timescale)
        let (end, isTooLate) = start.addingReportingOverflow(Int64(min(length, 1e15).rounded(.up)) - 1)
        return start...(isTooLate ? .max : max(start, end))
    }
}
