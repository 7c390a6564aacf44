package import SystemPackage

/// Matroska and WebM that call frames transparent and do not have what says how opaque they are, as Chrome records them.
package enum MissingTransparency {
    /// Of the first video track. A file is read no further than the first frame of that, and one without such a track no further than its head.
    package static func isFound(in path: FilePath) -> Bool {
        let isFound = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            let segment = try MatroskaSegment(file, for: .firstFrame)
            guard let track = segment.videoTrack, track.isTransparent, let frames = segment.frames[track.number] else {
                return false
            }
            return frames.offsets.first.map { frames.transparency[$0] == nil } ?? false
        }
        return isFound ?? false
    }
}

/// What Matroska has whose frames say beside them how opaque they are.
package struct TransparentTracks: Sendable, Hashable {
    /// Of the first video track, by ffprobe's name.
    package let video: String
    /// Of the audio tracks, in the file's order.
    package let audio: [String]

    /// Reads no further than the first frame.
    ///
    /// - Returns: nil for any other file.
    package init?(reading path: FilePath) {
        let segment = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MatroskaSegment(file, for: .firstFrame)
        }
        guard let segment, let track = segment.videoTrack, track.isTransparent,
            segment.frames[track.number]?.transparency.isEmpty == false
        else { return nil }
        (video, audio) = (track.codecName, segment.tracks.filter { $0.kind == .audio }.map(\.codecName))
    }
}
