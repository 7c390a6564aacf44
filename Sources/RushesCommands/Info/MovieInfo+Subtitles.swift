import Errors
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage

extension MovieInfo {
    /// Describes a file of subtitles alone. Blocks.
    ///
    /// - Throws: ``RushesError`` where there is none in it.
    init(subtitles path: FilePath) throws(RushesError) {
        let file = try SubtitleFile(path, language: nil)
        let size = (try? FileManager.default.attributesOfItem(atPath: path.string)[.size]) as? UInt64
        self.init(
            path: path.wireText, container: path.extension?.lowercased() ?? "", duration: file.duration,
            size: size ?? 0)
        subtitles = [
            OtherTrack(codec: file.codec, language: file.language?.tag, title: nil, sampleCount: file.count)
        ]
    }
}
