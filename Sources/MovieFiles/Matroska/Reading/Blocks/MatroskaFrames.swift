package import MediaTypes
package import SystemPackage

/// When the frames of a Matroska or WebM file are shown that no index of a movie could have, as those of VP8, Theora and MPEG-2: by its blocks.
package struct MatroskaFrames: Sendable {
    /// In order, counted from the file's first sample, whichever track has it.
    package let times: [MediaTime]
    /// Of these, those that decoding can begin with.
    package let keyFrames: [MediaTime]
    /// Where the last one ends.
    package let end: MediaTime

    /// Reads all blocks' heads. Blocks.
    ///
    /// - Throws: `notAMovie`, `system`; `unsupported` where it is damaged; `noSamples`.
    package init(_ path: FilePath) throws(MovieFileError) {
        let segment = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MatroskaSegment(file, for: .describing)
        }
        guard let track = segment.videoTrack, let frames = segment.frames[track.number], frames.count > 0 else {
            throw .noSamples
        }
        let scale = segment.timestampScale
        let media = segment.tracks.filter { $0.kind == .video || $0.kind == .audio }
        let starts = media.compactMap { segment.frames[$0.number] }.filter { $0.count > 0 }.map {
            $0.start(scale: scale)
        }
        let origin = starts.min() ?? 0
        let all = try frames.frameTimes(told: track.defaultDuration, scale: scale)
            .map { MediaTime(nanoseconds: $0 * Int64(scale) - origin) }
        times = all.sorted()
        keyFrames = zip(all, frames.isKey).filter(\.1).map(\.0).sorted()
        let told = track.defaultDuration.map { MediaTime(nanoseconds: Int64(clamping: $0)) }
        let gap = zip(times.dropFirst(), times).map { $0 - $1 }.last
        end = (times.last ?? .zero) + (told ?? gap ?? .zero)
    }
}
