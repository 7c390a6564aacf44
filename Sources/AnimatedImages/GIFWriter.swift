import CLibAV
import Errors
package import MediaFilters

/// Writes an animated GIF that is shown for ever: frames in the colors of one palette, by libavfilter's `paletteuse`, of which only what
/// changes is stored, by libavcodec's encoder and libavformat's muxer.
///
/// One thread at a time may use it.
package final class GIFWriter {
    private let library: AnimationLibrary
    private let format: AnimationFormat
    private let palette: AnimationPalette
    private var graph: FilterGraph
    private let frame: FilterFrame
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
        frame = try library.filtering { (filters) throws(FilterFailure) in try FilterFrame(filters) }
        graph = try Self.graph(library, format, palette, frame)
        file = try GIFFile(library, width: format.frames.width, height: format.frames.height, write)
    }

    /// What colors frames.
    private static func graph(
        _ library: AnimationLibrary, _ format: AnimationFormat, _ palette: AnimationPalette, _ frame: FilterFrame
    ) throws(RushesError) -> FilterGraph {
        let side = AnimationPalette.side
        let colors = try library.made(
            AnimationFormat("BGRA", width: side, height: side, matrix: 0, isFullRange: true), "format of colors")
        // The usual error diffusion; only the rectangle that changes is computed anew, so that what stands still does not flicker.
        return try library.filtering { (filters) throws(FilterFailure) in
            let graph = try FilterGraph(
                filters,
                "[in]\(format.conversion)null[frames];[frames][colors]paletteuse=sierra2_4a:diff_mode=rectangle",
                inputs: [format.input("in"), colors.input("colors")])
            try palette.bytes.withUnsafeBytes { bytes in
                Result { () throws(FilterFailure) in
                    guard let base = bytes.baseAddress else { return }
                    try frame.fill(FramePlanes(colors.frames, [(base, side * 4)]), at: 0)
                }
            }.get()
            try graph.add(frame.pointer, to: 1)
            try graph.add(nil, to: 1)
            return graph
        }
    }

    /// - Parameter time: in hundredths of a second; each frame's is later than that of the one before.
    /// - Throws: ``RushesError``; what the closure throws that writes.
    package func append(_ samples: FramePlanes, at time: Int) throws {
        if count == Self.renewal {
            try end()
            graph = try Self.graph(library, format, palette, frame)
            count = 0
        }
        count += 1
        try library.filtering { (_) throws(FilterFailure) in
            try frame.fill(samples, at: Int64(time))
            try graph.add(frame.pointer)
        }
        try writeFrames()
    }

    /// Completes the file.
    ///
    /// - Parameter delay: how long the last frame is shown, in hundredths of a second.
    /// - Throws: ``RushesError``; what the closure throws that writes.
    package func finish(lastDelay delay: Int) throws {
        try end()
        try file.finish(lastDelay: delay)
    }

    private func end() throws {
        try library.filtering { (_) throws(FilterFailure) in try graph.add(nil) }
        try writeFrames()
    }

    private func writeFrames() throws {
        while try library.filtering({ (_) throws(FilterFailure) in try graph.take(frame.pointer) }) {
            defer { frame.empty() }
            try file.append(frame.pointer)
        }
    }
}
