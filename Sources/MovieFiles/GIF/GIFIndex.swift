package import Errors
package import MediaTypes
package import SystemPackage

/// The frames of a GIF, as its blocks list them (GIF89a specification), each as the bytes that a decoder takes for it.
package struct GIFIndex: Sendable, Hashable {
    /// One of its images, which is drawn over what those before have left.
    package struct Frame: Sendable, Hashable {
        /// Where it lies in the file; the first one's begins with the file's head.
        package var bytes: Range<UInt64>
        /// When it is shown.
        package var time: MediaTime
        /// How long it is shown.
        package var duration: MediaTime
    }

    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// Those that are there whole; at least one.
    package internal(set) var frames: [Frame] = []
    /// How often the frames are shown once more; 0: for ever; nil where it says nothing, so they are shown once.
    package internal(set) var repeats: Int?
    /// Whether some of it can be transparent.
    package internal(set) var hasTransparency = false
    /// Frames that say to be shown for less than 20 ms, which browsers and ffmpeg show for 100 ms.
    package internal(set) var hastyFrameCount = 0
    /// Whether the file goes on to its own end mark, and is not cut off.
    package internal(set) var isWhole = true
    /// What anybody remarked.
    package internal(set) var comment: String?

    /// How long the last frame was to be shown, where that was limited.
    package private(set) var wholeLastDuration: MediaTime?

    /// Lets the last frame be shown no longer than that, where frames are not all shown equally long.
    package mutating func limitLastFrame(to longest: MediaTime) {
        guard rate == nil, let last = frames.last, last.duration > longest else { return }
        wholeLastDuration = last.duration
        frames[frames.count - 1].duration = longest
    }

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Of all frames, shown once.
    package var duration: MediaTime { frames.last.map { $0.time + $0.duration } ?? .zero }

    /// Frames a second, where all are shown equally long.
    package var rate: Fraction? {
        guard let first = frames.first, frames.allSatisfy({ $0.duration == first.duration }) else { return nil }
        return Fraction(100, Int(first.duration / (10 * MediaTime.millisecond)))
    }

    /// Whether a file's first bytes are a GIF's.
    package static func begins(_ head: some Sequence<UInt8>) -> Bool {
        head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8)
    }

    /// Reads a file's blocks, and none of its pixels. Blocks.
    ///
    /// - Throws: `notAMovie` if it is no GIF, `damaged` where it is damaged or has no whole frame, `system`.
    package init(reading path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var scan = try GIFScan(file)
            return try scan.index()
        }
    }

    /// Hands out the bytes of each frame in order, until the closure returns false. Blocks.
    ///
    /// - Throws: `system` where the file cannot be read, or has become shorter.
    package func forEachFrame(
        of path: FilePath, _ body: (Frame, [UInt8]) -> Bool
    ) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            for frame in frames {
                let bytes = try file.read(upTo: Int(clamping: frame.bytes.count), at: frame.bytes.lowerBound)
                guard bytes.count == frame.bytes.count else {
                    throw .system(operation: "reading the GIF", .ioError)
                }
                guard body(frame, bytes) else { return }
            }
        }
    }
}

extension MovieInfo {
    /// Describes a GIF by its blocks. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is none, or damaged.
    package init(readingGIF path: FilePath) throws(RushesError) {
        let (gif, size) = try naming(path) { () throws(MovieFileError) in
            (try GIFIndex(reading: path), try ReadableFile.open(path) { $0.size })
        }
        self.init(path: path.wireText, container: "gif", duration: gif.duration, size: size)
        complete = gif.isWhole
        comment = gif.comment
        var frames = Video(
            codec: "gif", codecTag: "", width: gif.width, height: gif.height, frameCount: gif.frames.count,
            duration: gif.duration)
        frames.frameRate = Double(gif.frames.count) / gif.duration.seconds
        frames.bitRate = bitRate
        video = [frames]
    }
}
