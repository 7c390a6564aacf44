import CLibAV
package import Errors
package import MediaFilters

/// Finds the 255 colors that show all frames of an animation best, by libavfilter's `palettegen`, and keeps one for what is transparent.
///
/// It holds how often each color comes, and no frame. One thread at a time may use it.
package final class PaletteMaker {
    private let library: AnimationLibrary
    private let graph: FilterGraph
    private let frame: FilterFrame
    private var count: Int64 = 0

    /// - Throws: ``RushesError`` that names the package where libavfilter is missing.
    package init(_ format: AnimationFormat) throws(RushesError) {
        let library = try AnimationLibrary.find()
        (graph, frame) = try library.filtering { (filters) throws(FilterFailure) in
            (
                try FilterGraph(
                    filters, "\(format.conversion)palettegen=stats_mode=full", inputs: [format.input("in")]),
                try FilterFrame(filters)
            )
        }
        self.library = library
    }

    package func look(at samples: FramePlanes) throws(RushesError) {
        try library.filtering { (_) throws(FilterFailure) in
            try frame.fill(samples, at: count)
            try graph.add(frame.pointer)
        }
        count += 1
    }

    /// The colors of the frames that were looked at; none follows.
    package func finish() throws(RushesError) -> AnimationPalette {
        let isFound = try library.filtering { (_) throws(FilterFailure) in
            try graph.add(nil)
            return try graph.take(frame.pointer)
        }
        guard isFound, let base = frame.pointer.pointee.data.0 else {
            throw RushesError(.encoderFailed, "The GIF cannot be made: no colors are found in the frames.")
        }
        defer { frame.empty() }
        let stride = Int(frame.pointer.pointee.linesize.0)
        return AnimationPalette(
            bytes: (0..<AnimationPalette.side).flatMap {
                UnsafeRawBufferPointer(start: base + $0 * stride, count: AnimationPalette.side * 4)
            })
    }
}

/// 256 colors, as pixels of a square.
package struct AnimationPalette: Sendable {
    static let side = 16
    fileprivate(set) var bytes: [UInt8]
}
