extension MatroskaMovie {
    /// The file's subtitles: as texts for any movie, and as they are for another Matroska file.
    struct Subtitles {
        private(set) var tracks: [SubtitleTrack] = []
        private(set) var own: [OwnTrack] = []
        /// What of the texts has no place in a movie, in full sentences.
        private(set) var omissions: [String] = []
        private(set) var omitted: [OmittedTrack] = []
        /// Why they cannot be in a movie as they are; nil where they can.
        private(set) var refusal: String?
        /// Of the longest, in ticks of ``MatroskaMovie/timescale``.
        private(set) var duration: UInt64 = 0
        /// By the identifiers that the file gives its tracks.
        private(set) var trackIDs: [UInt64: UInt32] = [:]

        /// - Parameters:
        ///   - origin: when the movie begins, in nanoseconds of the segment.
        ///   - end: when its frames and audio end, in milliseconds.
        ///   - firstID: the first identifier that no other track has.
        init(
            _ entries: [TrackEntry], _ segment: MatroskaSegment, _ file: ReadableFile, origin: Int64, end: Int64,
            firstID: UInt32
        ) throws(MovieFileError) {
            for track in entries where track.kind == .subtitle {
                guard let frames = segment.frames[track.number], frames.count > 0 else {
                    omitted.append(track.omitted("it has no samples"))
                    continue
                }
                let id = firstID + UInt32(own.count)
                own.append(
                    OwnTrack(id: id, source: track, frames: frames, scale: segment.timestampScale, origin: origin))
                if let uid = track.uid { trackIDs[uid] = id }
                guard track.textForm != nil else { continue }
                guard !track.isEncoded else {
                    refusal = "the subtitles of track \(track.number) are compressed"
                    continue
                }
                let texts = try SubtitleTrack(
                    track, frames, scale: segment.timestampScale, origin: origin, end: end, file)
                guard !texts.isEmpty else { continue }
                tracks.append(texts)
                if texts.losesLooks { omissions.append(SubtitleTrack.plainness(of: "track \(track.number)")) }
                duration = max(duration, try texts.duration(timescale: MatroskaMovie.timescale))
            }
        }
    }
}
