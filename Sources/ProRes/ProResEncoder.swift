import Dispatch

/// Writes frames as ProRes frames: SMPTE RDD 36, "Apple ProRes Bitstream Syntax and Decoding Process".
///
/// Every frame stands for itself, and its rows are written by several threads at once. For one caller at a time.
package final class ProResEncoder {
    private let layout: FrameLayout
    private let orders: [BlockOrder]
    private let coders: [SliceCoder]
    private var rate: RateControl

    /// - Parameter threads: how many rows are written at the same time, at least 1.
    package init(layout: FrameLayout, variant: ProResVariant, threads: Int) {
        self.layout = layout
        let macroblocks = layout.columns * layout.rows
        rate = RateControl(
            finest: variant.finestStep, ceiling: Double(macroblocks * variant.bitsPerMacroblock(macroblocks) / 8))
        orders = [.luma, .chroma(layout.chroma), .chroma(layout.chroma)]
        coders = (0..<max(1, min(threads, layout.rows))).map { _ in SliceCoder() }
    }

    /// One frame, as it stands in the file.
    ///
    /// - Parameters:
    ///   - planes: luma, blue and red difference, of the layout's size, and alpha where it has that. Those of fields have all rows of chroma.
    ///   - mode: whether they are two fields.
    package func encode(_ planes: [Plane], _ mode: InterlaceMode = .progressive) -> [UInt8] {
        let images = mode.images(of: planes)
        while true {
            let quantiser = Quantiser(step: rate.step)
            let coded = images.map { code($0, mode, quantiser) }
            // The headers and alpha, which no step makes smaller, do not count: of a small frame they are most.
            let bytes = coded.joined().reduce(0) { $0 + $1.bytes.count - $1.alphaCount }
            if rate.wrote(bytes: bytes) { continue }
            return FrameHeader(layout: layout, quantiser: quantiser, mode: mode).frame(of: coded)
        }
    }

    private func code(_ planes: [Plane], _ mode: InterlaceMode, _ quantiser: Quantiser) -> [CodedRow] {
        let inputs = Array(zip(planes, orders))
        let alpha = layout.hasAlpha && planes.count > 3 ? planes[3] : nil
        let layout = layout
        let rowCount = mode == .progressive ? layout.rows : layout.fieldRows
        let scan = mode == .progressive ? Scan.progressive : Scan.interlaced
        return [CodedRow](unsafeUninitializedCapacity: rowCount) { rows, count in
            // Each thread has a coder and rows of its own.
            nonisolated(unsafe) let (rows, inputs, alpha, coders) = (rows, inputs, alpha, coders)
            DispatchQueue.concurrentPerform(iterations: coders.count) { thread in
                for row in stride(from: thread, to: rowCount, by: coders.count) {
                    var coded = CodedRow()
                    for slice in layout.slices {
                        let coder = coders[thread]
                        coded.append(coder.code(slice, row: row, of: inputs, alpha: alpha, quantiser, scan: scan))
                        coded.alphaCount += coder.alphaCount
                    }
                    rows.initializeElement(at: row, to: coded)
                }
            }
            count = rowCount
        }
    }
}

/// The slices of one row of macroblocks, one behind the other.
struct CodedRow: Sendable {
    private(set) var sizes: [Int] = []
    private(set) var bytes: [UInt8] = []
    /// Bytes of alpha among these.
    var alphaCount = 0

    mutating func append(_ slice: UnsafeBufferPointer<UInt8>) {
        sizes.append(slice.count)
        bytes.append(contentsOf: slice)
    }
}
