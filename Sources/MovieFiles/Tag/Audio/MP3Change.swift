import MediaTypes

/// What a change makes of an MP3 file: its tags become one at its beginning, and the audio stays.
struct MP3Change {
    let change: MovieChange
    private let file: ReadableFile
    private let tags: [ID3Tag]
    /// Of the audio, in the file.
    private let audio: Range<UInt64>
    /// What the old tag at the end says, which has no place for more than 30 letters; it goes.
    private let short: MovieMetadata?
    private let header: MPEGAudioHeader

    /// - Returns: nil where no MP3 follows the tags.
    /// - Throws: `unsupported` for tags that are not read here; `system`.
    init?(_ change: MovieChange, of file: ReadableFile) throws(MovieFileError) {
        var (place, tags) = (0 as UInt64, [ID3Tag]())
        while let (tag, size) = try ID3Tag.changeable(file, at: place) {
            guard tags.count < ID3Tag.mostOfFile else { return nil }
            tags.append(tag)
            place += UInt64(size)
        }
        let start = try file.read(upTo: 4, at: place)
        guard let header = MPEGAudioHeader(start[...]), let size = header.size else { return nil }
        // Any two bytes may look like a frame's.
        let next = try file.read(upTo: 4, at: place + UInt64(size))
        guard next.isEmpty || MPEGAudioHeader(next[...])?.isAlike(header) == true else { return nil }
        let short = try MovieMetadata(id3v1TagOf: file)
        if let old = try APETag(file)?.metadata,
            MetadataField.allCases.contains(where: { old[$0] != nil && change.metadata[$0] != nil })
        {
            throw .unsupported(reason: "it has an APE tag as well, which says something else; a copy of it has one tag")
        }
        (self.change, self.file, self.tags, self.short, self.header) = (change, file, tags, short, header)
        audio = place..<max(place, file.size - (short == nil ? 0 : MovieMetadata.id3v1Size))
    }

    /// - Throws: `unsupported` for a chapter behind the end, and for tags that cannot be one.
    var pieces: [AudioFileChange.Piece] {
        get throws(MovieFileError) {
            let told = try duration
            if let chapters = change.chapters, let told { try MovieEditing.refuseLate(chapters, end: told) }
            let end = told ?? MediaTime(seconds: Double(audio.count) / Double(header.size ?? 1) * frameSeconds)
            let tag = try ID3TagChange(change, of: tags, short, end: end).bytes
            return [.bytes(tag), .range(audio)]
        }
    }

    private var frameSeconds: Double { Double(header.samplesPerFrame) / Double(header.sampleRate) }

    /// As the first frame tells that has no audio; nil where there is none.
    private var duration: MediaTime? {
        get throws(MovieFileError) {
            let frame = try file.read(upTo: header.size ?? 0, at: audio.lowerBound)
            guard let summary = MP3Summary(firstFrame: frame), let count = summary.count(in: frame) else { return nil }
            return MediaTime.lasting(samples: count * Int(header.samplesPerFrame), rate: header.sampleRate)
        }
    }
}
