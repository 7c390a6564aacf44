import Encoding
import FileSystem
import LiveActivity
import Threads

extension RecordingLimits {
    /// The same for a disk whose files can only be of some size, as FAT's of 4 GiB: before that the recording continues in another
    /// file, without a gap. Where it cannot, it ends there.
    ///
    /// - Parameter isOneFile: whether the movie must be one file.
    /// - Returns: a sentence too, where that is so.
    func fitting(_ destination: MovieDestination, isOneFile: Bool) async -> (RecordingLimits, note: String?) {
        let folder = destination.folder
        let largest = try? await onOwnThread("rushes-destination") { largestFile(in: folder) }
        guard let largest = largest ?? nil, largest > Self.leastPart else { return (self, nil) }
        // What the disk takes is passed by a fragment or two, and by the index, which of a day is a hundredth.
        let part = largest - largest / 16
        let size = Quantities.bytes(largest)
        if isOneFile {
            return (
                self,
                "The disk holds no file larger than \(size), and the recording ends there; record to another disk."
            )
        }
        guard maxPartFileSize ?? .max > part else { return (self, nil) }
        var limits = self
        limits.maxPartFileSize = part
        return (
            limits, "The disk holds no file larger than \(size): before that the recording continues in another file."
        )
    }

    /// Bytes; of less, as of a test's limit, a recording is not made of.
    private static let leastPart: Int64 = 1_000_000_000
}
