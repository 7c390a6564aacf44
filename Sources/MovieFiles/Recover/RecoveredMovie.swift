public import MediaTypes

/// What was brought back of a recording whose recorder died.
public struct RecoveredMovie: Codable, Hashable, Sendable {
    /// The dead recording.
    package var input: String
    /// The movie made of it; the same path where it was recovered in place.
    package var output: String
    /// Frames in the movie.
    public var framesRecovered: Int
    /// Packets of compressed audio and frames of PCM audio in the movie.
    package var samplesRecovered: Int
    /// Of samples or fragments that were not whole, in bytes.
    public var bytesLost: UInt64
    /// Whether nothing was lost.
    public var complete: Bool
    /// As played.
    public var duration: MediaTime
}
