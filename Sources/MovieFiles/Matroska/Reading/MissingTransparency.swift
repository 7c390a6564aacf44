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
