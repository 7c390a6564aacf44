package import SystemPackage

/// Matroska and WebM that call frames transparent and do not have what says how opaque they are, as Chrome records them.
package enum MissingTransparency {
    /// Of the first video track. A file without such a track is read no further than its head.
    package static func isFound(in path: FilePath) -> Bool {
        let isFound = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            guard try MatroskaSegment(file, for: .tracks).videoTrack?.isTransparent == true else { return false }
            let segment = try MatroskaSegment(file, for: .describing)
            guard let track = segment.videoTrack, let frames = segment.frames[track.number] else { return false }
            return frames.offsets.first.map { frames.transparency[$0] == nil } ?? false
        }
        return isFound ?? false
    }
}

extension MatroskaSegment {
    fileprivate var videoTrack: TrackEntry? { tracks.first { $0.kind == .video } }
}
