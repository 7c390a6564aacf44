import CLibAV
import Errors

/// Writes an animated GIF that is shown for ever: frames in the colors of one palette, by libavfilter's `paletteuse`, of which only what
/// changes is stored, by libavcodec's encoder and libavformat's muxer.
///
/// One thread at a time may use it.
package final class GIFWriter {
    private let library: AnimationLibrary
    private let format: AnimationFormat
    private let palette: AnimationPalette
    private var graph: FilterGraph
    private let frame: AnimationFrame
    private let file: GIFFile
    private var count = 0
    /// The filter remembers each color that it has looked for: after so many frames it begins anew, which costs nothing that can be measured.
    private static let renewal = 60

    /// - Parameter write: takes the file's bytes in their order.
    /// - Throws: `RushesError`; what the closure throws.
    package init(
        _ format: AnimationFormat, _ palette: AnimationPalette,
        writingTo write: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        (library, self.format, self.palette) = (try AnimationLibrary.find(), format, palette)
        frame = try AnimationFrame(library)
        graph = try Self.graph(library, format, palette, frame)
        file = try GIFFile(library, width: format.width, height: format.height, write)
    }

    /// What colors frames.
    private static func graph(
        _ library: AnimationLibrary, _ format: AnimationFormat, _ palette: AnimationPalette, _ frame: AnimationFrame
    ) throws -> FilterGraph {
        let side = AnimationPalette.side
        let colors = try library.made(
            AnimationFormat("BGRA", width: side, height: side, matrix: 0, isFullRange: true), "format of colors")
        // The usual error diffusion; only the rectangle that changes is computed anew, so that what stands still does not flicker.
        let graph = try FilterGraph(
            library, "paletteuse", "dither=sierra2_4a:diff_mode=rectangle", inputs: [format, colors])
        try palette.bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try frame.fill(AnimationPlanes(colors, [(base, side * 4)]), at: 0)
        }
        try graph.add(frame.pointer, to: 1)
        try graph.add(nil, to: 1)
        return graph
    }

    /// - Parameter time: in hundredths of a second; each frame's is later than that of the one before.
    /// - Throws: ``RushesError``; what the closure throws that writes.
    package func append(_ samples: AnimationPlanes, at time: Int) throws {
        if count == Self.renewal {
            try graph.add(nil)
            try writeFrames()
            graph = try Self.graph(library, format, palette, frame)
            count = 0
        }
        count += 1
        try frame.fill(samples, at: time)
        try graph.add(frame.pointer)
        try writeFrames()
    }

    /// Completes the file.
    ///
    /// - Parameter delay: how long the last frame is shown, in hundredths of a second.
    /// - Throws: ``RushesError``; what the closure throws that writes.
    package func finish(lastDelay delay: Int) throws {
        try graph.add(nil)
        try writeFrames()
        try file.finish(lastDelay: delay)
    }

    private func writeFrames() throws {
        while try graph.take(frame.pointer) {
            defer { frame.empty() }
            try file.append(frame.pointer)
        }
    }
}
