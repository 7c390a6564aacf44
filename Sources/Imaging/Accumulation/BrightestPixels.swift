import MediaTypes

/// The brightest pixel of several frames at each place: stars leave trails.
///
/// Chroma is that of the frame whose luma is the brightest on the pixels that share it. One thread at a time may use it.
package final class BrightestPixels {
    private let buffer: FrameBuffer
    /// How many frames it has.
    package private(set) var count = 0

    /// - Parameter format: of all frames: 4:2:0 in three planes.
    package init(_ format: ImageFormat) { buffer = FrameBuffer(format) }

    /// Adds a frame of the format.
    package func add(_ frame: FrameView) {
        defer { count += 1 }
        buffer.withMutableView { best in
            guard count > 0 else { return best.copy(frame) }
            if frame.format.pixelFormat.bytesPerSample == 1 {
                add(frame, UInt8.self, to: best)
            } else {
                add(frame, UInt16.self, to: best)
            }
        }
    }

    /// Lends what was brightest.
    package func withView<Result, Failure: Error>(_ body: (FrameView) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try buffer.withView(body)
    }

    private func add<Sample: FixedWidthInteger>(_ frame: FrameView, _: Sample.Type, to best: MutableFrameView) {
        let size = frame.format.size
        for row in 0..<(size.height + 1) / 2 {
            // The second row, of frames of an odd height the first one again.
            let rows = (2 * row, min(2 * row + 1, size.height - 1))
            let (new, old) = (
                (frame.row(rows.0, of: 0, Sample.self), frame.row(rows.1, of: 0, Sample.self)),
                (best.row(rows.0, of: 0, Sample.self), best.row(rows.1, of: 0, Sample.self))
            )
            let chroma = (1...2).map { (frame.row(row, of: $0, Sample.self), best.row(row, of: $0, Sample.self)) }
            for column in 0..<(size.width + 1) / 2 {
                let columns = (2 * column, min(2 * column + 1, size.width - 1))
                let was = max(
                    max(old.0[columns.0], old.0[columns.1]), max(old.1[columns.0], old.1[columns.1]))
                let now = max(
                    max(new.0[columns.0], new.0[columns.1]), max(new.1[columns.0], new.1[columns.1]))
                guard now > was else { continue }
                chroma[0].1[column] = chroma[0].0[column]
                chroma[1].1[column] = chroma[1].0[column]
            }
            for column in 0..<size.width { old.0[column] = max(old.0[column], new.0[column]) }
            for column in 0..<size.width { old.1[column] = max(old.1[column], new.1[column]) }
        }
    }
}

extension PlanarView where Pointer == UnsafeRawPointer {
    /// A row of a plane of samples of a type.
    func row<Sample>(_ row: Int, of plane: Int, _: Sample.Type) -> UnsafePointer<Sample> {
        (planes[plane].base + row * planes[plane].bytesPerRow).assumingMemoryBound(to: Sample.self)
    }

    /// The mean of luma, from 0 for black to 1 for white.
    package var meanLuma: Double {
        let sum = format.pixelFormat.bytesPerSample == 1 ? lumaSum(UInt8.self) : lumaSum(UInt16.self)
        let scale = SampleScale(format.color.range, bitDepth: format.pixelFormat.bitDepth).luma
        let mean = Double(sum) / Double(max(1, format.size.width * format.size.height))
        return min(max((mean - scale.offset) / scale.scale, 0), 1)
    }

    private func lumaSum<Sample: FixedWidthInteger>(_: Sample.Type) -> UInt64 {
        (0..<format.size.height).reduce(0) { sum, index in
            let row = row(index, of: 0, Sample.self)
            var part: UInt32 = 0
            for column in 0..<format.size.width { part &+= UInt32(truncatingIfNeeded: row[column]) }
            return sum + UInt64(part)
        }
    }
}

extension PlanarView where Pointer == UnsafeMutableRawPointer {
    /// A row of a plane of samples of a type.
    func row<Sample>(_ row: Int, of plane: Int, _: Sample.Type) -> UnsafeMutablePointer<Sample> {
        (planes[plane].base + row * planes[plane].bytesPerRow).assumingMemoryBound(to: Sample.self)
    }

    /// Becomes another frame of the same format.
    package func copy(_ frame: FrameView) {
        for (index, plane) in planes.enumerated() {
            for row in 0..<format.rows(ofPlane: index) {
                (plane.base + row * plane.bytesPerRow).copyMemory(
                    from: frame.planes[index].base + row * frame.planes[index].bytesPerRow,
                    byteCount: format.bytesPerRow(ofPlane: index))
            }
        }
    }
}
