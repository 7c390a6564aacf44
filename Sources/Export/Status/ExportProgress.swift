public import MediaTypes
public import SystemPackage

/// How far an export is.
public struct ExportProgress: Sendable, Hashable {
    /// What it does now.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Phase: String, Sendable, Hashable {
        /// Samples of the input are encoded to find the quality that was asked for.
        case searching
        case preparing, encoding, finishing, verifying

        /// Whether it still makes the frames of the movie, or gets ready to; after that it completes the file.
        package var isWork: Bool { self == .searching || self == .preparing || self == .encoding }
    }

    /// What it does now.
    public var phase: Phase = .preparing
    /// Which step it is where there are several, such as a search or the first of two passes; a few words for people.
    package var step: String?
    /// Which of several files it is on; nil where it makes one.
    package var part: Part?
    /// From 0 to 1, or `nil` while the input's length is not known; 1 only when the file has its name.
    public var fraction: Double?
    /// How far in the output, and how long it will be.
    package var mediaTime: MediaTime = .zero
    /// How long the output will be; `nil` while nobody knows.
    package var mediaDuration: MediaTime?
    /// Frames so far.
    public var framesWritten = 0
    /// Bytes so far.
    package var bytesWritten: Int64 = 0
    /// A frame of the latest moment, a JPEG file; replaced every few seconds.
    package var thumbnail: FilePath?

    /// Of an export that has not begun.
    package init() {}

    /// One of several files that are made one after another.
    package struct Part: Sendable, Hashable {
        /// From 1.
        package var number: Int
        package var count: Int
        package var output: FilePath
    }
}

extension ExportStatus.Part {
    /// The progress with all files, of that with this one.
    func all(_ own: ExportProgress) -> ExportProgress {
        var progress = own
        progress.part = .init(number: number, count: count, output: output)
        // All are complete with the last one.
        if number < count, !own.phase.isWork { progress.phase = .encoding }
        let (length, done) = (share.upperBound - share.lowerBound, own.fraction ?? 0)
        progress.fraction = number == count && done == 1 ? 1 : min(0.999, share.lowerBound + length * done)
        progress.framesWritten += earlier.frames
        progress.bytesWritten += earlier.bytes
        progress.mediaTime = progress.mediaTime + earlier.time
        progress.mediaDuration = duration
        return progress
    }
}

/// A completed export.
public struct ExportResult: Sendable, Hashable {
    /// Where the movie is.
    public var path: FilePath
    /// Bytes.
    public var size: Int64
    /// How long the movie lasts.
    public var duration: MediaTime
    /// Frames; 0 where there are none.
    package var frames: Int
    /// Whether the frames are the input's own, not encoded again.
    package var copiesFrames = false
    /// What was copied, left out or done otherwise than asked, a sentence each.
    public var notes: [String]
    /// Those of them that tell of more than how it was written.
    package var remarks: [String] = []

    /// - Parameter size: bytes.
    package init(path: FilePath, size: Int64, duration: MediaTime, frames: Int, notes: [String] = []) {
        (self.path, self.size, self.duration, self.frames, self.notes) = (path, size, duration, frames, notes)
    }
}
