package import MediaTypes
package import SystemPackage

/// Places in the middle of a Matroska file that are damaged: a demuxer goes on behind them, and says nothing.
package enum MatroskaDamage {
    /// When each is played; nothing of a file that is sound, cut off or none of Matroska. Blocks, for as long as reading the head of each
    /// block takes.
    package static func times(in path: FilePath) -> [MediaTime] {
        let found = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> [MediaTime] in
            guard try MatroskaSegment.isMatroska(file), !isSound(file) else { return [] }
            // Elements that it does not know are damage to it, so it is asked of no file that can be read as it is.
            return try MatroskaScan(file).losses.map(\.time)
        }
        return found ?? []
    }

    private static func isSound(_ file: ReadableFile) -> Bool { (try? MatroskaSegment(file, for: .describing)) != nil }
}
