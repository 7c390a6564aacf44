import Foundation
import MediaTypes
import SystemPackage

/// What lies behind a movie, or audio, in its file: another one or several, as where files were put behind each other. Players and demuxers
/// read the first alone, or take all for one.
package struct AppendedMovie: Codable, Hashable, Sendable {
    /// Of its first byte: the first movie ends there.
    package var offset: UInt64
    /// Up to the end of the file, in bytes.
    package var size: UInt64
    /// Of all movies that lie there, in seconds; nil where one does not say.
    package var duration: Double?

    /// - Parameters:
    ///   - end: of the file.
    ///   - durations: of each movie that lies there.
    init(from offset: UInt64, to end: UInt64, lasting durations: [Double?]) {
        (self.offset, size) = (offset, end - offset)
        let seconds = durations.compactMap(\.self)
        duration = seconds.count == durations.count ? seconds.reduce(0, +) : nil
    }
}

extension AppendedMovie {
    /// A sentence for people.
    package var note: String {
        let length = duration.map { String(format: ", %.2f s", $0) } ?? ""
        return
            "Another movie follows in the same file (\(size) bytes\(length)); its frames and audio were left out, and "
            + "tail -c +\(offset + 1) makes a file of it."
    }

    /// What lies behind QuickTime, MP4 or Matroska; nil where nothing does. Blocks.
    static func behind(_ path: FilePath) -> AppendedMovie? {
        if let other = try? AppendedMovie(readingMatroska: path) { return other }
        return (try? MovieInfo(contentsOf: path))?.appended
    }
}
