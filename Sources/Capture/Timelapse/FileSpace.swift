/// When a file is given up for the next one, because it can have no more than so many bytes. Pure.
///
/// Before it is full: of one that is, the last shots would have to be dropped for the index.
struct FileSpace: Sendable {
    /// Bytes that the file can have.
    let limit: Int64

    /// Of the index, in bytes; a frame takes 28 of it (size, place, whether it is a key frame, and its times where they differ).
    private static let indexPerFrame: Int64 = 40
    /// What the index needs beside its frames, and the blocks that it begins and ends in, in bytes.
    private static let beside: Int64 = 40_000

    /// Whether another frame may not find place.
    ///
    /// - Parameters:
    ///   - bytes: of the file.
    ///   - frames: in it.
    ///   - waiting: frames that are still on their way into it.
    ///   - largest: frame so far, in bytes; the next may be twice as large.
    func isFull(bytes: Int64, frames: Int, waiting: Int, largest: Int) -> Bool {
        guard frames > 0, largest > 0 else { return false }
        let frames = Int64(frames + waiting + 1) * Self.indexPerFrame + 2 * Int64(largest) * Int64(waiting + 1)
        return bytes + frames + Self.beside > limit
    }
}
