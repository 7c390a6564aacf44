package import GStreamer
package import Imaging

/// Changes the colors of GStreamer's frames, in the matrix and range that their caps tell: by a ``LookupTable``, or from HDR to SDR.
package struct FrameGrader: Sendable {
    private enum Change {
        case table(LookupTable, depth: Int?)
        case tones(peak: Double?)
    }

    private struct Memory: @unchecked Sendable {
        // One thread at a time has the grader.
        let grading: FrameGrading?
        let layout: VideoFrameLayout
        let (caps, gradedCaps): (Caps, Caps)
    }

    private let change: Change
    private var memory: Memory?

    /// - Parameter depth: what becomes of the frames, in bits; nil: their own depth. Where it is 8, a table makes SDR of HDR: the frames have the
    ///   matrix and the tags of BT.709 then.
    package init(_ table: LookupTable, depth: Int? = 10) { change = .table(table, depth: depth) }

    /// By the ``ToneMapping`` of each frame's caps; what is SDR stays as it is.
    ///
    /// - Parameter peak: of PQ, in candela a square metre, where it is known.
    package init(toneMappingFrom peak: Double?) { change = .tones(peak: peak) }

    /// Whether frames are HDR of a kind that becomes SDR by a ``ToneMapping``.
    package static func canMap(_ caps: Caps) -> Bool { ToneMapping(caps, peak: nil) != nil }

    /// The raw formats that tables take, to which others are converted: whatever chroma and depth frames have is kept, and how opaque they are.
    package static let formats = [
        "I420", "NV12", "Y42B", "Y444", "I420_10LE", "P010_10LE", "I422_10LE", "Y444_10LE", "I420_12LE", "I422_12LE",
        "Y444_12LE", "A420_10LE", "A422_10LE", "A444_10LE",
    ]

    /// The frame with other colors, and what it is then; all else about it stays. What others hold is copied first.
    ///
    /// - Parameter caps: what the frame is.
    /// - Throws: ``GStreamerError`` for another format, and where there is no memory.
    package mutating func apply(to buffer: Buffer, _ caps: Caps) throws -> (buffer: Buffer, caps: Caps) {
        if memory?.caps != caps { memory = try prepare(caps) }
        guard let memory, let grading = memory.grading else { return (buffer, caps) }
        var buffer = buffer
        try buffer.withMutablePlanes(memory.layout) { planes in
            grading.apply(to: planes.map { .init($0.base, bytesPerRow: $0.bytesPerRow) })
        }
        return (buffer, memory.gradedCaps)
    }

    private func prepare(_ caps: Caps) throws -> Memory {
        guard let layout = VideoFrameLayout(caps), let graded = GradedLayout(layout.format),
            let colorimetry = Colorimetry(caps)
        else {
            let name = if case .table = change { "look-up table" } else { "tone mapping" }
            throw GStreamerError(element: name, message: "it takes no frames of the kind \(caps)")
        }
        let color = ColorEncoding(colorimetry)
        switch change {
        case .table(let table, let depth):
            let makesSDR = depth ?? graded.bitDepth == 8 && colorimetry.hdrName != nil
            let grading = FrameGrading(table, graded, size: layout.size, color: color, makesSDR: makesSDR)
            return Memory(
                grading: grading, layout: layout, caps: caps, gradedCaps: makesSDR ? caps.toneMapped : caps)
        case .tones(let peak):
            let grading = ToneMapping(caps, peak: peak).map {
                FrameGrading($0, graded, size: layout.size, color: color)
            }
            return Memory(grading: grading, layout: layout, caps: caps, gradedCaps: caps.toneMapped)
        }
    }
}

extension GradedLayout {
    /// By GStreamer's names.
    package init?(_ format: String) {
        // How opaque pixels are stands in a plane behind the others.
        let format = format.replacing(/^A(4[24][024])_/) { $0.1 == "444" ? "Y444_" : "I\($0.1)_" }
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
