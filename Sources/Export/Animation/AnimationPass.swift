import AnimatedImages
import GStreamer
import MediaFilters
import Threads

/// What takes the frames of one run over the input: the first finds the colors, and keeps the frames where they are few; the second
/// writes the file.
final class AnimationPass: Sendable {
    struct Frame: Sendable {
        var buffer: Buffer
        /// In hundredths of a second after the first.
        var time: Int
    }

    /// What the first run leaves for the second.
    struct Colors: Sendable {
        var palette: AnimationPalette
        /// All of them; nil where they are too many to be kept.
        var frames: [Frame]?
        var layout: AnimationLayout
        var timing: AnimationTiming
    }

    // One thread at a time has the state.
    private struct State: @unchecked Sendable {
        var layout: AnimationLayout?
        var timing = AnimationTiming()
        var colors: PaletteMaker?
        var kept: [Frame]? = []
        var keptBytes = 0
        var file: AnimationFile?
    }

    private let state = Locked(State())
    private let makeFile: (@Sendable (AnimationLayout) throws -> AnimationFile)?
    /// So many bytes of frames are kept: half a minute of 480×270 at 12 frames a second. What is longer is read twice.
    private let mostBytes: Int

    /// - Parameter makeFile: begins the file; nil: the colors are found first.
    init(
        mostBytes: Int = 128 << 20, file makeFile: (@Sendable (AnimationLayout) throws -> AnimationFile)? = nil
    ) {
        (self.mostBytes, self.makeFile) = (mostBytes, makeFile)
    }

    /// Which part of the whole work it is.
    var share: Range<Double> { makeFile == nil ? 0..<0.5 : 0.5..<1 }
    var step: String { makeFile == nil ? Self.findingColors : Self.writing }
    private static let findingColors = "Finding the colors"
    static let writing = "Writing the GIF"

    /// A run begins, perhaps once more.
    ///
    /// - Throws: ``RushesError`` where the libraries are missing; what the disk refuses.
    func begin(_ layout: AnimationLayout) throws {
        try state.withLock { state in
            state = State()
            state.layout = layout
            if let makeFile {
                state.file = try makeFile(layout)
            } else {
                state.colors = try PaletteMaker(layout.format)
            }
        }
    }

    /// On the thread that the frames come on.
    func take(_ buffer: Buffer) throws {
        try state.withLock { state in
            guard let layout = state.layout, let time = buffer.presentationTime,
                let place = state.timing.take(at: time, lasting: buffer.duration)
            else { return }
            if let file = state.file { return try file.append(Frame(buffer: buffer, time: place)) }
            try buffer.withPlanes(layout) { try state.colors?.look(at: $0) }
            state.keptBytes += buffer.byteCount
            if state.keptBytes > mostBytes { state.kept = nil }
            // The pool that it comes from may be small, and must not run dry.
            state.kept?.append(Frame(buffer: buffer.copied(), time: place))
        }
    }

    /// What the first run has found. Blocks.
    func colors() throws -> Colors? {
        try state.withLock { state in
            guard let layout = state.layout, let palette = try state.colors?.finish() else { return nil }
            defer { (state.colors, state.kept) = (nil, nil) }
            return Colors(palette: palette, frames: state.kept, layout: layout, timing: state.timing)
        }
    }

    /// Completes the file of the second run. Blocks.
    func finish() throws -> AnimationFile? {
        try state.withLock { state in
            try state.file?.finish(state.timing)
            return state.file
        }
    }
}

extension Buffer {
    func withPlanes(_ layout: AnimationLayout, _ body: (FramePlanes) throws -> Void) throws {
        try withPlanes(layout.frames) { planes in
            try body(FramePlanes(layout.format.frames, planes.map { (UnsafeRawPointer($0.base), $0.bytesPerRow) }))
        }
    }
}
