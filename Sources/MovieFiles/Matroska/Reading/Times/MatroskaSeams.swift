package import SystemPackage

/// Whether blocks in the middle of a Matroska file say that a part of them is not presented, as where movies were joined: GStreamer's demuxer
/// (1.22) does not know that, so they are read by an index (`ReindexedMovie`).
package enum MatroskaSeams {
    /// Of files that were written here: only those are looked through from their beginning to their end.
    package static func exist(in path: FilePath) -> Bool {
        let found = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            guard try MatroskaSegment.isMatroska(file),
                try MatroskaSegment(file, for: .tracks).info?.text(.writingApp)?.hasPrefix("Rushes") == true
            else { return false }
            return try MatroskaMovie(file).hasSeams
        }
        return found ?? false
    }
}
