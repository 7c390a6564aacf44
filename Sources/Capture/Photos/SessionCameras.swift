import Errors
import Threads

/// Each of a session's cameras by itself, for photos of one of several.
final class SessionCameras: Sendable {
    private struct State {
        var feeds: [VideoFeed] = []
        /// Of cameras that photos are being taken of.
        var photos: [ObjectIdentifier: Weak] = [:]
    }
    private struct Weak { weak var frames: PhotoFrames? }

    private let state = Locked(State())

    /// The session's cameras, the main one first; none where it has none, or is closed.
    func follow(_ feeds: [VideoFeed]) {
        state.withLock { state in
            state.feeds = feeds
            state.photos = state.photos.filter { entry in feeds.contains { ObjectIdentifier($0) == entry.key } }
        }
    }

    /// What photos of one camera are taken of, from now on: its next frame is the first. Whoever asks keeps it as long as frames are waited for:
    /// a frame that is held here has to be copied for the composition.
    ///
    /// - Parameter name: of the camera, or a part of it that fits no other.
    /// - Throws: ``RushesError`` if no camera, or more than one, is called so.
    func photoFrames(of name: String) throws(RushesError) -> PhotoFrames {
        let feed = try feed(named: name)
        let (frames, isNew) = state.withLock { state in
            let key = ObjectIdentifier(feed)
            if let known = state.photos[key]?.frames { return (known, false) }
            let source = SessionFrames()
            source.follow(feed)
            let frames = PhotoFrames(source)
            state.photos[key] = Weak(frames: frames)
            return (frames, true)
        }
        if isNew { frames.attach() }
        return frames
    }

    private func feed(named name: String) throws(RushesError) -> VideoFeed {
        let feeds = state.withLock { $0.feeds }
        let wanted = name.lowercased()
        let same = feeds.filter { $0.name.lowercased() == wanted }
        let fitting = same.isEmpty ? feeds.filter { $0.name.lowercased().contains(wanted) } : same
        guard let feed = fitting.first, fitting.count == 1 else {
            let all = feeds.map(\.name).joined(separator: ", ")
            throw fitting.isEmpty
                ? RushesError(
                    .deviceNotFound, on: name,
                    feeds.isEmpty
                        ? "No camera is running to take a photo with; start the session."
                        : "No camera of the session is called '\(name)'; it has \(all).")
                : RushesError(.badSource, on: name, "More than one camera is called '\(name)'; it has \(all).")
        }
        return feed
    }
}
