/// How much of a file is read.
extension MatroskaSegment {
    /// What a file is read for.
    enum Purpose: Sendable {
        /// Its frames are to be copied into a movie as they are.
        case copying
        /// The same into another Matroska file.
        case copyingToMatroska
        /// Only its subtitles are wanted, whatever the other tracks are.
        case subtitles
        /// It is to be told what it holds, whatever that is.
        case describing
        /// Only what is said of its tracks is wanted.
        case tracks
        /// The same, and the first frame of a video track that is called transparent.
        case firstFrame
        /// Only what it says and brings beside its tracks is wanted.
        case attributes

        /// Whether it is told what is there, whatever that is.
        var takesAll: Bool { [.describing, .tracks, .firstFrame].contains(self) }
    }

    var videoTrack: TrackEntry? { tracks.first { $0.kind == .video } }

    /// Whether nothing behind the tracks is wanted, or no more of it.
    var hasAll: Bool {
        guard hasTracks else { return false }
        return switch purpose {
        case .tracks: true
        // Without any there is nothing to look for.
        case .subtitles: tracks.isEmpty
        case .firstFrame: videoTrack.map { !$0.isTransparent || frames[$0.number]?.count ?? 0 > 0 } ?? true
        case .copying, .copyingToMatroska, .describing, .attributes: false
        }
    }
}
