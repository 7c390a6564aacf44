package import GStreamer
package import Imaging

/// Changes the colors of GStreamer's frames by a ``LookupTable``, in the matrix and range that their caps tell.
package struct FrameGrader: Sendable {
    private struct Memory: @unchecked Sendable {
        // One thread at a time has the grader.
        let grading: FrameGrading
        let layout: VideoFrameLayout
        let caps: Caps
    }

    private let table: LookupTable
    private var memory: Memory?

    package init(_ table: LookupTable) { self.table = table }

    /// The raw formats that it takes, to which others are converted: whatever chroma and depth frames have is kept.
    package static let formats = [
        "I420", "NV12", "Y42B", "Y444", "I420_10LE", "P010_10LE", "I422_10LE", "Y444_10LE", "I420_12LE", "I422_12LE",
        "Y444_12LE",
    ]

    /// The frame with other colors; all else about it stays. What others hold is copied first.
    ///
    /// - Parameter caps: what the frame is.
    /// - Throws: ``GStreamerError`` for another format, and where there is no memory.
    package mutating func apply(to buffer: Buffer, _ caps: Caps) throws -> Buffer {
        if memory?.caps != caps {
            guard let layout = VideoFrameLayout(caps), let graded = GradedLayout(layout.format),
                let colorimetry = Colorimetry(caps)
            else {
                throw GStreamerError(element: "look-up table", message: "it takes no frames of the kind \(caps)")
            }
            let grading = FrameGrading(table, graded, size: layout.size, color: ColorEncoding(colorimetry))
            memory = Memory(grading: grading, layout: layout, caps: caps)
        }
        guard let memory else { return buffer }
        var buffer = buffer
        try buffer.withMutablePlanes(memory.layout) { planes in
            memory.grading.apply(to: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) })
        }
        return buffer
    }
}

extension GradedLayout {
    /// By GStreamer's names.
    fileprivate init?(_ format: String) {
        switch format {
        case "I420": self.init(bitDepth: 8, halvesColumns: true, halvesRows: true)
        case "NV12": self.init(bitDepth: 8, halvesColumns: true, halvesRows: true, interleavesChroma: true)
        case "Y42B": self.init(bitDepth: 8, halvesColumns: true, halvesRows: false)
        case "Y444": self.init(bitDepth: 8, halvesColumns: false, halvesRows: false)
        case "I420_10LE": self.init(bitDepth: 10, halvesColumns: true, halvesRows: true)
        case "P010_10LE":
            self.init(bitDepth: 10, shift: 6, halvesColumns: true, halvesRows: true, interleavesChroma: true)
        case "I422_10LE": self.init(bitDepth: 10, halvesColumns: true, halvesRows: false)
        case "Y444_10LE": self.init(bitDepth: 10, halvesColumns: false, halvesRows: false)
        case "I420_12LE": self.init(bitDepth: 12, halvesColumns: true, halvesRows: true)
        case "I422_12LE": self.init(bitDepth: 12, halvesColumns: true, halvesRows: false)
        case "Y444_12LE": self.init(bitDepth: 12, halvesColumns: false, halvesRows: false)
        default: return nil
        }
    }
}
