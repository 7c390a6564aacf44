public import MediaTypes

extension Range<MediaTime> {
    /// A part of a movie, in seconds from its beginning.
    public static func seconds(_ begin: Double, _ end: Double) -> Self {
        MediaTime(seconds: begin)..<MediaTime(seconds: end)
    }
}
