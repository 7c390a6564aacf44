extension FragmentedMovie {
    /// Bytes that belong into the file's first `moov`.
    struct Patch: Sendable, Equatable {
        var offset: UInt64
        var bytes: [UInt8]
    }

    /// Fills the `av1C` boxes that GStreamer's muxers up to 1.22 leave empty, from the first sample of their track.
    ///
    /// The index gets the whole box, with the sequence header; the first `moov` in the file only the four bytes that
    /// there is room for.
    ///
    /// - Parameter read: Gives up to that many bytes from that place in the file.
    /// - Returns: What has to be patched into the file.
    mutating func repairAV1(
        _ read: (_ count: Int, _ offset: UInt64) throws(MovieFileError) -> [UInt8]
    ) throws(MovieFileError) -> [Patch] {
        var patches: [Patch] = []
        for track in tracks {
            guard let chunk = track.samples.chunks.first,
                let entry = track.entries.first, entry.format == "av01",
                let box = entry["av1C"], box.payload.count >= 4,
                AV1SequenceHeader(obusIn: box.payload.dropFirst(4)) == nil,
                // Sequence headers come first and take a few dozen bytes.
                let header = AV1SequenceHeader(obusIn: try read(512, chunk.offset)[...])
            else { continue }
            if !box.payload.starts(with: header.configurationRecord) {
                patches.append(Patch(offset: box.payloadOffset, bytes: header.configurationRecord))
            }
            try editSampleEntries(ofTrack: track.trackID) { (entry: inout SampleEntry) in
                guard let index = entry.extensions.firstIndex(where: { $0.type == "av1C" }) else { return }
                entry.extensions[index].payload = (header.configurationRecord + header.obu)[...]
            }
        }
        return patches
    }
}
