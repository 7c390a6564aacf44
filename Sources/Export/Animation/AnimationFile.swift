import AnimatedImages
import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import SystemPackage

/// A GIF that is written to the output of an export.
///
/// One thread at a time may use it.
final class AnimationFile {
    private let layout: AnimationLayout
    private let writer: GIFWriter
    /// As long as it is not known until when that is shown.
    private var last: AnimationPass.Frame?
    /// Frames in the file.
    private(set) var frames = 0
    /// When the last one ends.
    private(set) var duration: MediaTime = .zero

    /// The longest that a frame can be shown, in hundredths of a second.
    private static let longest = Int(UInt16.max)

    /// - Throws: ``RushesError`` where the folder takes no file, and where the libraries are missing.
    init(_ layout: AnimationLayout, _ palette: AnimationPalette, in output: TemporaryOutput) throws {
        self.layout = layout
        let file = try output.file()
        let name = output.destination.path.displayName
        writer = try GIFWriter(layout.format, palette) { bytes in
            do { _ = try file.withDescriptor { try $0.writeAll(bytes) } } catch let error as Errno {
                throw RushesError("\(name) cannot be written", error)
            }
        }
    }

    func append(_ frame: AnimationPass.Frame) throws {
        try repeatLast(until: frame.time)
        try write(frame)
    }

    func finish(_ timing: AnimationTiming) throws {
        let end = timing.latest + timing.lastDelay
        try repeatLast(until: end)
        try writer.finish(lastDelay: end - (last?.time ?? 0))
        duration = end * 10 * .millisecond
    }

    /// Shows it anew where it stands longer than a GIF can say.
    private func repeatLast(until time: Int) throws {
        while var frame = last, time - frame.time > Self.longest {
            frame.time += Self.longest
            try write(frame)
        }
    }

    private func write(_ frame: AnimationPass.Frame) throws {
        try frame.buffer.withPlanes(layout) { try writer.append($0, at: frame.time) }
        frames += 1
        last = frame
    }
}
