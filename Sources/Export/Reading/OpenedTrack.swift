import GStreamer

/// A track as its first sample shows it.
struct OpenedTrack: Sendable {
    var track: MediaReader.Track
    var first: Sample
    /// The sample that is carried on from: the first one, or where the input was sought, the first one there.
    var begin: Sample

    /// By how much its decoder stamps audio too early, in nanoseconds.
    var late: MediaTime = .zero

    init(track: MediaReader.Track, first: Sample) { (self.track, self.first, begin) = (track, first, first) }

    var caps: Caps { first.caps ?? track.stream.caps }
}

extension [OpenedTrack] {
    var video: OpenedTrack? { first { $0.track.stream.kind == .video } }
    var audio: [OpenedTrack] { filter { $0.track.stream.kind == .audio } }
}
