/// The mean of several frames, sample by sample, as they are coded: what a shutter sees that stays open meanwhile.
///
/// One thread at a time may use it.
package final class FrameMean {
    package let format: ImageFormat
    /// How many frames it has by now.
    package private(set) var count = 0
    private var sums: [[UInt32]]

    /// - Parameter format: of all frames; three planes.
    package init(_ format: ImageFormat) {
        self.format = format
        sums = (0..<format.pixelFormat.planeCount).map { [UInt32](repeating: 0, count: format.samples(ofPlane: $0)) }
    }

    /// Adds a frame of the format.
    package func add(_ frame: FrameView) {
        forEachRow { plane, row, sums in
            if format.pixelFormat.bytesPerSample == 1 {
                Self.add(frame.row(row, of: plane, UInt8.self), to: sums)
            } else {
                Self.add(frame.row(row, of: plane, UInt16.self), to: sums)
            }
        }
        count += 1
    }

    /// Writes the mean, rounded to the nearest, and begins anew. Without any frame nothing is written.
    package func take(into frame: MutableFrameView) {
        guard count > 0 else { return }
        let (count, half) = (UInt32(count), UInt32(count / 2))
        forEachRow { plane, row, sums in
            if format.pixelFormat.bytesPerSample == 1 {
                Self.divide(sums, by: count, adding: half, to: frame.row(row, of: plane, UInt8.self))
            } else {
                Self.divide(sums, by: count, adding: half, to: frame.row(row, of: plane, UInt16.self))
            }
        }
        clear()
    }

    private func forEachRow(_ body: (_ plane: Int, _ row: Int, _ sums: UnsafeMutableBufferPointer<UInt32>) -> Void) {
        for plane in sums.indices {
            let samples = format.samplesPerRow(ofPlane: plane)
            sums[plane].withUnsafeMutableBufferPointer { sums in
                for row in 0..<format.rows(ofPlane: plane) {
                    body(plane, row, UnsafeMutableBufferPointer(rebasing: sums[row * samples..<(row + 1) * samples]))
                }
            }
        }
    }

    /// Forgets what was added.
    package func clear() {
        for plane in sums.indices { sums[plane].withUnsafeMutableBufferPointer { $0.update(repeating: 0) } }
        count = 0
    }

    private static func add<Sample: FixedWidthInteger>(
        _ row: UnsafePointer<Sample>, to sums: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in sums.indices { sums[index] &+= UInt32(truncatingIfNeeded: row[index]) }
    }

    private static func divide<Sample: FixedWidthInteger>(
        _ sums: UnsafeMutableBufferPointer<UInt32>, by count: UInt32, adding half: UInt32,
        to row: UnsafeMutablePointer<Sample>
    ) {
        for index in sums.indices { row[index] = Sample(truncatingIfNeeded: (sums[index] &+ half) / count) }
    }
}

extension ImageFormat {
    /// Of formats with three planes.
    func samplesPerRow(ofPlane plane: Int) -> Int { bytesPerRow(ofPlane: plane) / pixelFormat.bytesPerSample }
    /// Of formats with three planes.
    func samples(ofPlane plane: Int) -> Int { samplesPerRow(ofPlane: plane) * rows(ofPlane: plane) }
}
