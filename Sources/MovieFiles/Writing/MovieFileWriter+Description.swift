/// A sample description that grows while the movie is recorded: another encoder took the place of the first.
extension MovieFileWriter {
    /// Puts parameter sets into the description of the frames, before the first frame that needs them. The head that lies in the file
    /// has room for them, so that a movie that is never finished plays too.
    ///
    /// - Parameter codecData: `avcC` or `hvcC` with all that are needed.
    /// - Throws: `system` where the file cannot be written, `invalidBox` where the head is damaged.
    package func describe(codecData: [UInt8]) throws(MovieFileError) {
        guard var movie, let before = try? movie.moov.serialized(),
            let track = movie.tracks.first(where: { $0.handler == "vide" })
        else {
            laterCodecData = codecData
            return
        }
        try movie.editSampleEntries(ofTrack: track.trackID) { entry in entry.describe(codecData) }
        self.movie = movie
        let now = try movie.moov.serialized()
        // A head that would grow stays as it is; the index at the end has all.
        guard now.count == before.count, let first = now.indices.first(where: { now[$0] != before[$0] }),
            let last = now.indices.last(where: { now[$0] != before[$0] })
        else { return }
        try file.write(Array(now[first...last]), at: moovOffset + UInt64(first))
    }
}

extension SampleEntry {
    /// In bytes: H.264's sets have about 40 for an encoder, HEVC's 110, and no encoder has more than six speeds.
    private static let room = 1024

    /// Keeps room behind the parameter sets, which players skip.
    mutating func makeSpace() {
        guard let codec = ParameterSetCodec(format: format),
            let index = extensions.firstIndex(where: { $0.type == codec.record })
        else { return }
        let payload = [UInt8](repeating: 0, count: Self.room)
        extensions.insert(Box(type: "free", fileOffset: 0, payload: payload[...]), at: index + 1)
    }

    /// Gives the room back.
    mutating func removeSpace() { extensions.removeAll { $0.type == "free" } }

    /// Exchanges the parameter sets; the room behind them shrinks by as much as they grow.
    fileprivate mutating func describe(_ codecData: [UInt8]) {
        guard let codec = ParameterSetCodec(format: format),
            let index = extensions.firstIndex(where: { $0.type == codec.record })
        else { return }
        let growth = codecData.count - extensions[index].payload.count
        extensions[index].payload = codecData[...]
        guard extensions.indices.contains(index + 1), extensions[index + 1].type == "free" else { return }
        let left = extensions[index + 1].payload.count - growth
        guard left >= 0 else { return }
        extensions[index + 1].payload = [UInt8](repeating: 0, count: left)[...]
    }
}
