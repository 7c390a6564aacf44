import MediaTypes

/// The `moov` that a fragmented movie begins with, made such that a recording that is never finished plays well.
///
/// GStreamer's muxers write neither orientation nor edit lists, and audio headers with mistakes.
struct FirstMovieBox: Sendable {
    /// The box as it belongs into the file.
    let box: Box
    let bytes: [UInt8]
    /// The sample of a time code, which lies right behind.
    let timeCode: [UInt8]
    /// Where the media time of each video track's edit lies in the file, by track: known only with its first fragment.
    let mediaTimeOffsets: [UInt32: UInt64]

    /// - Parameters:
    ///   - moov: As the muxer wrote it.
    ///   - fileOffset: Where it will lie.
    init(
        _ moov: Box, at fileOffset: UInt64, options: MovieFileWriter.Options, isQuickTime: Bool
    ) throws(MovieFileError) {
        var moov = moov
        let beginning = options.beginning()
        var metadata = options.metadata
        metadata.creationDate = metadata.creationDate ?? beginning.date
        try moov.write(metadata, isQuickTime: isQuickTime)
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        var index = 0
        let startTimes = options.startTimes()
        try moov.editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            let delay = ((startTimes[index] ?? .zero).seconds * Double(timescale)).rounded()
            // GStreamer's muxers leave 0, which is not valid, where a track has got no sample until its stream ends.
            try trak.edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
                try mdhd.replaceZeroTimescale(with: timescale)
            }
            if let attributes = options.tracks[index] { try trak.write(attributes) }
            try trak.prepare(options, isQuickTime: isQuickTime, delay: UInt64(exactly: max(0, delay)) ?? 0)
            index += 1
        }
        // The fragments' whole length, which nobody knows yet; the muxer's guess would cut the movie short.
        try moov.edit(["mvex"]) { (mvex: inout Box) in mvex.removeChildren { $0.type == "mehd" } }
        timeCode =
            try beginning.timeCode.map { (code) throws(MovieFileError) in
                try moov.addTimeCode(code, at: fileOffset, isQuickTime: isQuickTime)
            } ?? []
        bytes = try moov.serialized()
        box = try Box(bytes, at: fileOffset)
        mediaTimeOffsets = try Self.mediaTimeOffsets(box)
    }

    private static func mediaTimeOffsets(_ moov: Box) throws(MovieFileError) -> [UInt32: UInt64] {
        var offsets: [UInt32: UInt64] = [:]
        for trak in moov.all("trak") {
            guard try trak.required("mdia").required("hdlr").handlerType() == "vide",
                let list = trak.descendant("edts", "elst")
            else { continue }
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            guard let edit = try EditList(list).edits.firstIndex(where: { $0.mediaTime != nil }) else { continue }
            offsets[trackID] = list.payloadOffset + UInt64(EditList.mediaTimeOffset(ofEdit: edit))
        }
        return offsets
    }
}

extension Box {
    /// Patches one `trak`: sample entries, orientation, and an edit of unknown length that hides what comes too early.
    ///
    /// - Parameter delay: Before anything of the track is presented, in the movie's timescale.
    fileprivate mutating func prepare(
        _ options: MovieFileWriter.Options, isQuickTime: Bool, delay: UInt64
    ) throws(MovieFileError) {
        let handler = try required("mdia").required("hdlr").handlerType()
        if handler == "soun" {
            let timescale = try TimeHeader(try required("mdia").required("mdhd")).timescale
            try editSampleEntries(handler) { (entry) throws(MovieFileError) in
                try entry.repairAudio(timescale: timescale)
            }
        }
        if handler == "vide" {
            try edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in
                try tkhd.setOrientation(options.orientation)
            }
            try editSampleEntries(handler) { (entry) throws(MovieFileError) in
                entry.removeAssumedFields()
                try entry.write(options.light)
                if let color = options.color { try entry.write(color, for: isQuickTime ? .mov : .mp4) }
            }
            try options.view.write(to: &self)
            if options.mayChangeEncoder { try editSampleEntries(handler) { entry in entry.makeSpace() } }
        }
        let mediaTime = try FragmentedTrack(self).priming(audioPriming: options.audioPriming)
        guard handler == "vide" || mediaTime > 0 || delay > 0 else { return }
        removeChildren { $0.type == "edts" }
        var edits = EditList(edits: [.init(duration: 0, mediaTime: mediaTime)])
        if delay > 0 { edits.edits.insert(.init(duration: delay, mediaTime: nil), at: 0) }
        insert(try edits.box(), after: "tkhd")
    }
}

extension FragmentedTrack {
    /// What a decoder produces before the first real audio, in the track's timescale: 0 for frames and PCM.
    func priming(audioPriming: Int) throws(MovieFileError) -> UInt64 {
        guard handler == "soun", bytesPerFrame == nil, let entry = entries.first else { return 0 }
        if let preSkip = entry.opusPreSkip {
            // Always counted at 48 kHz (RFC 7845 section 4.2).
            return try UInt64(preSkip).rescaled(from: 48_000, to: timescale)
        }
        // A rate that no sample entry holds is the track's timescale.
        let told = try AudioFields(entry).sampleRate
        let rate = SampleEntry.isCutOff(told, of: timescale) ? timescale : UInt32(clamping: Int64(told))
        guard rate > 0, audioPriming > 0 else { return 0 }
        return try UInt64(audioPriming).rescaled(from: rate, to: timescale)
    }
}

/// The first `moov` of a movie that was finished, and then lost its index at the end, as a copy that broke off does.
///
/// Finishing overwrote 16 bytes of it with the head of an `mdat`: its own head and that of the `mvhd` inside, which
/// both can be told from what follows. All boxes behind are untouched.
struct HiddenMovieBox {
    var box: Box
    /// Where it ends and the first fragment begins.
    var end: UInt64

    private static let maximumSize: UInt64 = 64 << 20

    /// nil where the `mdat` does not begin like that.
    init?(_ mdat: TopLevelBoxes.Entry, in file: ReadableFile) throws(MovieFileError) {
        guard mdat.header.headerSize == 16, let version = try file.read(upTo: 1, at: mdat.offset + 16).first,
            version <= 1
        else { return nil }
        let movieHeaderEnd = mdat.offset + 8 + (version == 1 ? 120 : 108)
        var boxes = TopLevelBoxes(file, from: movieHeaderEnd)
        var hasTracks = false
        end = movieHeaderEnd
        while let entry = try? boxes.next(), entry.isWhole, entry.type.isPlausible {
            if entry.type == "moof" { break }
            if entry.type == "trak" { hasTracks = true }
            end = entry.end
            guard end - mdat.offset <= Self.maximumSize else { return nil }
        }
        guard hasTracks else { return nil }
        var writer = ByteWriter()
        writer.append(UInt32(truncatingIfNeeded: end - mdat.offset))
        writer.append(FourCC("moov"))
        writer.append(UInt32(truncatingIfNeeded: movieHeaderEnd - mdat.offset - 8))
        writer.append(FourCC("mvhd"))
        writer.append(contentsOf: try file.read(upTo: Int(end - mdat.offset - 16), at: mdat.offset + 16))
        box = try Box(writer.bytes, at: mdat.offset)
    }
}
