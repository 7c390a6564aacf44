package import SystemPackage

/// Chapters that GStreamer's readers (1.22) do not know: of ID3 tags, of Windows Media, of comments, FLAC's tracks of a CD, and WAV's named places.
package enum ForeignChapters {
    /// Empty where a file has none of these. Blocks.
    package static func read(_ path: FilePath) -> [MovieInfo.Chapter] {
        if let found = try? ID3Chapters.read(path), !found.isEmpty { return found }
        if let found = try? ASFMarkers.read(path), !found.isEmpty { return found }
        if let found = try? CommentChapters.read(path), !found.isEmpty { return found }
        if let found = try? FLACCueSheet.read(path), !found.isEmpty { return found }
        return (try? WaveCues.read(path)) ?? []
    }
}
