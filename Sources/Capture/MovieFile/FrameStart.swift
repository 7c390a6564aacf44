import MediaTypes

/// Whether a recording of a compressed stream can begin with a frame.
///
/// GStreamer's parser for H.264 (1.22) calls each frame of I slices a key frame; what follows may refer to frames before all the same,
/// which are not in the file then.
struct FrameStart: Sendable {
    /// Whether the parser calls it a key frame.
    let isKeyFrame: Bool
    /// Whether nothing behind it needs what came before.
    let isGroupStart: Bool

    /// So long a beginning is waited for: some cameras refresh their frames bit by bit and send none.
    private static let timeout = 10 * MediaTime.second

    /// - Parameter waiting: how long the recording has waited for its first frame.
    func isGood(after waiting: MediaTime) -> Bool { isGroupStart || isKeyFrame && waiting > Self.timeout }
}
