package import SystemPackage

/// What the head of a Matroska file tells of its tracks.
package enum MatroskaTracks {
    /// How many are video; 0 of what is no Matroska. Reads no further than the tracks. Blocks.
    package static func videoCount(in path: FilePath) -> Int {
        let tracks = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MatroskaSegment(file, for: .tracks).tracks
        }
        return tracks?.count { $0.kind == .video } ?? 0
    }
}
