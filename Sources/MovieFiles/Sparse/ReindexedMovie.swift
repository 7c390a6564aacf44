package import SystemPackage

/// A movie that qtdemux (1.22) does not read as it is, or that no other demuxer reads: with an index of its own before the whole of the
/// file, whose samples are the file's.
///
/// - Where the index lists the first samples and fragments list the rest, as recorders leave it that were interrupted, qtdemux begins
///   with the fragments and gives nothing of what is shown before.
/// - Where another movie in fragments lies behind the first, qtdemux shows both at once, as the times of both begin at the same time.
/// - It does not know PCM in ISO's form, which QuickTime's own says as well.
/// - It does not know how iTunes tells what primes a decoder of audio.
/// - It refuses a movie of which one track does not say how its samples are coded.
/// - It reports an error behind the last chunk of a track whose index lists more samples than its chunks hold.
/// - It reads nothing of Opus whose packets all have the same size.
/// - Of one that is cut off it ends at the first sample that is not there.
/// - Core Audio files have no demuxer.
/// - Of Matroska, its demuxer does not know ALAC, nor what blocks in the middle of a file say of audio that is not presented, as where
///   movies were joined: an index says the same with edits.
package struct ReindexedMovie: Sendable, Hashable {
    /// All that comes before the file's own bytes: the brands, the index, and the head of the box that the file is in.
    private let header: [UInt8]
    /// How many samples of video and audio the file's index lists that lie nowhere in it.
    package let unplacedCount: Int

    /// - Returns: nil for any other movie.
    /// - Throws: `notAMovie`, `invalidBox`, `encrypted`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let movie = try ReadableFile.open(path) { (file) throws(MovieFileError) -> ReindexedMovie? in
            let (isMatroska, isCoreAudio) = (try MatroskaSegment.isMatroska(file), try CoreAudioFile.isOne(file))
            guard try isMatroska || isCoreAudio ? true : Self.isNeeded(for: file) else { return nil }
            return try ReindexedMovie(try CopySource(file))
        }
        guard let movie else { return nil }
        self = movie
    }

    /// A movie that is cut off, with the samples that are there.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, `encrypted`, `system`.
    package init(cutOff path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try ReindexedMovie(try CopySource(file))
        }
    }

    private init(_ source: CopySource) throws(MovieFileError) {
        var count = 0
        for trak in source.moov.all("trak") {
            guard let type = try trak.mediaHandler, ["vide", "soun"].contains(type) else { continue }
            count += try trak.unplacedCount
        }
        (header, unplacedCount) = (try Self.header(source), count)
    }

    /// Whether fragments follow an index that lists samples itself, or a track is one that qtdemux does not know, or is not described.
    private static func isNeeded(for file: ReadableFile) throws(MovieFileError) -> Bool {
        var boxes = TopLevelBoxes(file)
        var (listsSamples, hasFragments) = (false, false)
        while let entry = try boxes.next() {
            if entry.type == "moof" {
                if listsSamples { return true }
                hasFragments = true
            }
            guard entry.type == "moov" else { continue }
            let moov = try TopLevelBoxes.load(entry, from: file)
            if hasFragments { return moov["mvex"] != nil }
            if moov.all("trak").contains(where: { $0.isUndescribed || $0.hasPacketsOfOneSize }) { return true }
            var edited = moov
            try edited.addGaplessEdit()
            if edited["trak"]?["edts"] != nil, moov["trak"]?["edts"] == nil { return true }
            for trak in moov.all("trak") where try trak.hasISOLinear { return true }
            for trak in moov.all("trak") where try trak.unplacedCount > 0 { return true }
            listsSamples = moov["mvex"] != nil && moov.listsSamples
            guard moov["mvex"] != nil else { return false }
        }
        return false
    }

    private static func header(_ source: CopySource) throws(MovieFileError) -> [UInt8] {
        let brands = try source.fileType.brands(hasSignedOffsets: false).serialized()
        var moov = source.moov
        try moov.removeUndescribed()
        try moov.editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            if try trak.hasISOLinear { try trak.describeLinear() }
            try trak.removeUnplaced()
            if trak.hasPacketsOfOneSize { try trak.listPacketSizes(within: source.fileSize) }
        }
        // Its size does not depend on where the samples lie.
        try moov.moveChunks(isWide: true) { $0 }
        let start = UInt64(brands.count + (try moov.serialized().count) + 16)
        try moov.moveChunks(isWide: true) { offset in
            let (moved, isTooFar) = offset.addingReportingOverflow(start)
            return isTooFar ? nil : moved
        }
        var mdat = ByteWriter()
        mdat.append(UInt32(1))
        mdat.append(FourCC("mdat"))
        mdat.append(source.fileSize + 16)
        return brands + (try moov.serialized()) + mdat.bytes
    }

    /// Opens the file for reading the movie's bytes.
    ///
    /// - Parameter path: of the file that the index was read of.
    /// - Throws: `notAFile`, `system`.
    package func opened(_ path: FilePath) throws(MovieFileError) -> ReindexedBytes {
        ReindexedBytes(header, try ReadableFile.opened(path))
    }
}

/// The bytes of a movie with an index of its own. The file stays open as long as this object lives.
package final class ReindexedBytes: Sendable {
    private let header: [UInt8]
    private let file: ReadableFile

    fileprivate init(_ header: [UInt8], _ file: ReadableFile) { (self.header, self.file) = (header, file) }

    deinit { try? file.descriptor.close() }

    /// In bytes.
    package var size: UInt64 { UInt64(header.count) + file.size }

    /// Up to `count` bytes; fewer only at the end.
    ///
    /// - Throws: `system`.
    package func read(upTo count: Int, at offset: UInt64) throws(MovieFileError) -> [UInt8] {
        let length = UInt64(header.count)
        guard offset < length else { return try file.read(upTo: count, at: offset - length) }
        let head = header[Int(offset)...].prefix(count)
        return try head + file.read(upTo: count - head.count, at: 0)
    }
}

extension Box {
    /// Of a `trak`; nil where it does not say.
    fileprivate var mediaHandler: FourCC? {
        get throws(MovieFileError) { try self["mdia"]?["hdlr"]?.handlerType() }
    }

    /// Whether a `trak` has PCM in ISO's form.
    fileprivate var hasISOLinear: Bool {
        get throws(MovieFileError) {
            guard let stsd = descendant("mdia", "minf", "stbl", "stsd"), try mediaHandler == "soun" else {
                return false
            }
            return try SampleEntry.entries(of: stsd, handler: "soun").contains(where: \.isISOLinear)
        }
    }

    /// Whether a `trak` does not say how its samples are coded.
    fileprivate var isUndescribed: Bool {
        guard let table = descendant("mdia", "minf", "stbl") else { return false }
        return table["stsd"].map { UInt32(bigEndianBytes: $0.payload.dropFirst(4).prefix(4)) ?? 0 == 0 } ?? true
    }

    /// Takes the tracks out of a `moov` that do not say how their samples are coded.
    fileprivate mutating func removeUndescribed() throws(MovieFileError) {
        guard all("trak").contains(where: \.isUndescribed) else { return }
        removeChildren { $0.type == "trak" && $0.isUndescribed }
        var ids: Set<UInt32> = []
        for trak in all("trak") { ids.insert(try TrackHeader(try trak.required("tkhd")).trackID) }
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in try trak.keepReferences(to: ids) }
    }

    /// Gives the PCM of a `trak` QuickTime's form.
    fileprivate mutating func describeLinear() throws(MovieFileError) {
        try edit(["mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
            var entries = try SampleEntry.entries(of: stsd, handler: "soun")
            for index in entries.indices where entries[index].isISOLinear {
                try entries[index].describeLinear(try AudioFields(entries[index]))
            }
            stsd.payload = try SampleEntry.descriptionBox(entries).payload
        }
    }

    /// Whether any track of a `moov` lists samples of its own.
    fileprivate var listsSamples: Bool {
        all("trak").contains { trak in
            guard let sizes = trak.descendant("mdia", "minf", "stbl", "stsz") else { return false }
            return UInt32(bigEndianBytes: sizes.payload.dropFirst(8).prefix(4)) ?? 0 > 0
        }
    }
}
