package import MediaTypes
package import SystemPackage

/// Frames that an encoder made of the beginning of a part, ready to stand before those that are copied.
///
/// Players take one sample description for a track: Chromium stops at a second one, and ffmpeg's copies of such a file are
/// broken. So the parameter sets of both encoders stand in one, and the new ones get numbers that the original's do not have,
/// which the format allows (ISO/IEC 14496-15 sections 5.3.3.1 and 8.3.2.1).
package struct EncodedBeginning: Sendable {
    /// Where the samples lie, one behind the other.
    let storage: FileDescriptor
    /// In bytes.
    let sizes: [UInt32]
    let areSync: [Bool]
    /// With the sets of both.
    private let record: Box
    /// Where each sample begins, and the last one ends.
    private let offsets: [UInt64]

    /// How many frames there are.
    package var count: Int { sizes.count }

    /// Reads the encoded frames, numbers their parameter sets and writes them to a file.
    ///
    /// - Parameters:
    ///   - movie: A movie with these frames alone, in the order in which they are shown.
    ///   - original: The movie whose part they begin.
    ///   - storage: An empty file, open for reading and writing. It stays yours to close, after the copy.
    /// - Throws: `unsupported` where they cannot stand before the original's, `notAMovie`, `invalidBox`, `system`.
    package init(
        _ movie: MovieOriginal, before original: MovieOriginal, storage: FileDescriptor
    ) throws(MovieFileError) {
        let file = movie.file
        let (track, entry) = try Self.frames(movie)
        let (_, other) = try Self.frames(original)
        guard let own = try ParameterSetRecord(entry), let theirs = try ParameterSetRecord(other),
            // Width and height.
            entry.fields.dropFirst(24).prefix(4) == other.fields.dropFirst(24).prefix(4),
            let renumbering = ParameterSetRenumbering(own, beside: theirs),
            let sets = own.mapUnits({ renumbering.renumbered($0) }), let both = theirs.adding(sets)
        else { throw .unsupported(reason: "its frames and those of the encoder here are of different kinds") }
        guard track.table.isInOrder else { throw .unsupported(reason: "the encoder here reorders frames") }
        record = try both.box()
        self.storage = storage
        var (sizes, areSync, offsets) = ([UInt32](), [Bool](), [UInt64(0)])
        let target = DescriptorFile(descriptor: storage)
        var syncs = Set(track.table.syncSamples.list ?? [])
        if track.table.syncSamples.areAll { syncs = Set((0..<track.table.count).map { UInt32($0 + 1) }) }
        var number: UInt32 = 0
        for piece in try track.pieces(track: 0) {
            var place = piece.offset
            for index in piece.firstSample..<piece.firstSample + piece.sampleCount {
                let size = track.table.sizes.total(of: index..<index + 1)
                let sample = try file.read(upTo: Int(clamping: size), at: place)
                guard
                    let changed = renumbering.renumbered(
                        sample: sample[...], lengthSize: own.lengthSize, to: theirs.lengthSize)
                else {
                    throw .unsupported(reason: "the encoder here makes frames that cannot be read")
                }
                try target.write(changed, at: offsets.last ?? 0)
                number += 1
                sizes.append(UInt32(truncatingIfNeeded: changed.count))
                areSync.append(syncs.contains(number))
                offsets.append((offsets.last ?? 0) + UInt64(changed.count))
                place += size
            }
        }
        (self.sizes, self.areSync, self.offsets) = (sizes, areSync, offsets)
        guard areSync.first == true else { throw .unsupported(reason: "the encoder here began with no key frame") }
    }

    /// The only video track, and how they are described.
    private static func frames(_ movie: MovieOriginal) throws(MovieFileError) -> (CopiedTrack, SampleEntry) {
        let (file, source) = (movie.file, movie.source)
        let timescale = try TimeHeader(try source.moov.required("mvhd")).timescale
        for trak in source.moov.all("trak") where try trak.required("mdia").required("hdlr").handlerType() == "vide" {
            let stsd = try trak.required("mdia").required("minf").required("stbl").required("stsd")
            let entries = try SampleEntry.entries(of: stsd, handler: "vide")
            guard let entry = entries.first, entries.count == 1 else { break }
            return (
                try CopiedTrack(trak, entries: entries, fileSize: file.size, movieTimescale: timescale), entry
            )
        }
        throw .unsupported(reason: "its frames are described in several ways, or not at all")
    }

    /// Where some samples lie in the storage.
    func bytes(of first: Int, count: Int) -> Range<UInt64> { offsets[first]..<offsets[first + count] }

    /// Puts the parameter sets into an `stbl`, and takes out what tells properties of samples that are no longer there.
    func describe(in stbl: inout Box) throws(MovieFileError) {
        let properties: Set<FourCC> = ["sdtp", "stps", "sbgp", "sgpd"]
        stbl.removeChildren { properties.contains($0.type) }
        try stbl.edit(["stsd"]) { (stsd: inout Box) throws(MovieFileError) in
            var entries = try SampleEntry.entries(of: stsd, handler: "vide")
            guard let index = entries.first?.extensions.firstIndex(where: { $0.type == record.type }) else { return }
            entries[0].extensions[index] = record
            stsd.payload = try SampleEntry.descriptionBox(entries).payload
        }
    }
}

extension SampleTable {
    /// Whether samples are presented in the order in which they are decoded.
    fileprivate var isInOrder: Bool {
        var (isInOrder, last) = (true, Int64.min)
        forEachTime { _, time in
            if time <= last { isInOrder = false }
            last = time
        }
        return isInOrder
    }
}

extension MovieCopy {
    /// The frames of a part before its first group that can be copied whole.
    package struct Beginning: Sendable, Hashable {
        package let frameCount: Int
        /// From the first of them, which can be under way when the part begins, to the first that is copied, in the
        /// original's presentation.
        package let timeRange: Range<MediaTime>
        /// When the original's first frame is shown, in its presentation.
        package let firstTime: MediaTime
    }
}
