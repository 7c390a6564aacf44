package import MediaTypes
package import SystemPackage

/// What a Matroska or WebM file says of itself, without a look at its frames.
package struct MatroskaDescription: Sendable, Hashable {
    package var metadata: MovieMetadata
    /// Whether it brings fonts or other files beside images.
    package var hasAttachments: Bool
    /// Whether its times begin again in the middle.
    package var isRestarted = false
    /// How long it lasts, as it says it; nil where it does not, is cut off, or begins again.
    package var duration: MediaTime?
    /// Whether it says a length at all, true or not: what browsers record and what is written into a pipe does not.
    package var tellsDuration = false
    /// Its parts that have names; none where they are played in another order.
    package var chapters: [MovieInfo.Chapter] = []
    /// Of its first frame, as a tag tells it.
    package var timeCode: TimeCode?
    /// What its tracks tell about themselves, by what GStreamer's demuxer ends their streams' identifiers with.
    package var tracks: [String: TrackAttributes]

    /// - Throws: `unsupported` where it is damaged or no such file, `system` where it cannot be read.
    package init(reading path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) -> MatroskaDescription in
            let segment = try MatroskaSegment(file, for: .attributes)
            let isTold = segment.isWhole && !segment.restarts.isRestarted
            let ticks = isTold ? segment.info?.float(.duration) ?? 0 : 0
            let attached = try AttachedFiles(segment.attachments, file)
            var description = MatroskaDescription(
                metadata: try MatroskaAttributes.metadata(segment, covers: attached.coverArt),
                hasAttachments: attached.omission(in: "") != nil,
                duration: ticks > 0 ? MediaTime(seconds: ticks * Double(segment.timestampScale) / 1e9).clamped : nil,
                tracks: Dictionary(segment.tracks.map { ($0.streamSuffix, TrackAttributes($0)) }) { first, _ in first })
            description.isRestarted = segment.restarts.isRestarted
            description.tellsDuration = segment.info?.float(.duration) ?? 0 > 0
            description.chapters = (try? MatroskaAttributes.chapters(segment.chapters, from: 0)) ?? []
            description.timeCode = MatroskaAttributes.timeCode(segment)
            return description
        }
    }

    private init(
        metadata: MovieMetadata, hasAttachments: Bool, duration: MediaTime?, tracks: [String: TrackAttributes]
    ) {
        (self.metadata, self.hasAttachments, self.duration) = (metadata, hasAttachments, duration)
        self.tracks = tracks
    }
}
