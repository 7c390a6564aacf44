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
