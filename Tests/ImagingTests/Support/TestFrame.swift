import Foundation
import Imaging
import MediaTypes

/// A frame in memory of the test, whose samples are read and written one by one: as slow as it is plain.
struct TestFrame {
    let format: ImageFormat
    var bytes: [UInt8]

    init(_ format: ImageFormat) {
        self.format = format
        bytes = [UInt8](repeating: 0, count: format.byteCount)
    }

    /// Gradients, waves and noise, colored.
    static func pattern(_ format: ImageFormat, seed: UInt64) -> TestFrame {
        var frame = TestFrame(format)
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func noise() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state % 1000) / 500 - 1
        }
        let unit = Double(1 << (format.pixelFormat.bitDepth - 8))
        let phase = Double(seed % 7)
        for plane in 0..<3 {
            let (width, height) = frame.size(of: plane)
            for y in 0..<height {
                for x in 0..<width {
                    let (fx, fy) = (Double(x) / Double(width), Double(y) / Double(height))
                    let wave = sin(fx * 23 + phase) * cos(fy * 17 - phase * 2)
                    let value =
                        plane == 0
                        ? 40 + 130 * fx + 40 * wave + 12 * noise()
                        : 128 + (plane == 1 ? 60 : -60) * (fy - 0.5) + 30 * wave + 6 * noise()
                    frame[plane, x, y] = (value * unit).rounded()
                }
            }
        }
        return frame
    }

    /// In samples, of Y, U or V.
    func size(of plane: Int) -> (width: Int, height: Int) {
        let (width, height) = (format.size.width, format.size.height)
        guard plane > 0 else { return (width, height) }
        switch format.pixelFormat {
        case .i422, .i210, .yuy2, .uyvy: return ((width + 1) / 2, height)
        default: return ((width + 1) / 2, (height + 1) / 2)
        }
    }

    /// A sample of Y, U or V, in the lower bits.
    subscript(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        get {
            let at = offset(plane, x, y)
            guard format.pixelFormat.bitDepth > 8 else { return Double(bytes[at]) }
            let value = Int(bytes[at]) | Int(bytes[at + 1]) << 8
            return Double(format.pixelFormat == .p010 ? value >> 6 : value)
        }
        set {
            let at = offset(plane, x, y)
            var value = Int(min(max(newValue, 0), Double(1 << format.pixelFormat.bitDepth - 1)))
            if format.pixelFormat == .p010 { value <<= 6 }
            bytes[at] = UInt8(value & 255)
            if format.pixelFormat.bitDepth > 8 { bytes[at + 1] = UInt8(value >> 8) }
        }
    }

    private func offset(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        let (width, height) = (format.size.width, format.size.height)
        let (half, halfRows) = ((width + 1) / 2, (height + 1) / 2)
        switch format.pixelFormat {
        case .i420, .i010:
            let begin = plane == 0 ? 0 : width * height + (plane - 1) * half * halfRows
            return (begin + y * (plane == 0 ? width : half) + x) * (format.pixelFormat == .i010 ? 2 : 1)
        case .i422, .i210:
            let begin = plane == 0 ? 0 : (width + (plane - 1) * half) * height
            return (begin + y * (plane == 0 ? width : half) + x) * (format.pixelFormat == .i210 ? 2 : 1)
        case .nv12, .p010:
            let place = plane == 0 ? y * width + x : width * height + y * 2 * half + 2 * x + plane - 1
            return place * (format.pixelFormat == .p010 ? 2 : 1)
        case .yuy2: return y * 4 * half + (plane == 0 ? 2 * x : 4 * x + 2 * plane - 1)
        case .uyvy: return y * 4 * half + (plane == 0 ? 2 * x + 1 : 4 * x + 2 * plane - 2)
        }
    }

    func read<Result>(_ body: (FrameView) throws -> Result) rethrows -> Result {
        let format = format
        // Aligned as an array of bytes is, to 16.
        return try bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { preconditionFailure("an empty frame") }
            return try body(FrameView(format, packedAt: base))
        }
    }

    mutating func write<Result>(_ body: (MutableFrameView) throws -> Result) rethrows -> Result {
        let format = format
        return try bytes.withUnsafeMutableBytes { all in
            guard let base = all.baseAddress else { preconditionFailure("an empty frame") }
            return try body(MutableFrameView(format, packedAt: base))
        }
    }

    /// With the colors that a grading makes of them; made for how the samples lie, and for the format.
    func graded(_ make: (GradedLayout, ImageFormat) -> FrameGrading) -> TestFrame {
        var frame = self
        let layout = GradedLayout(
            bitDepth: format.pixelFormat.bitDepth, shift: format.pixelFormat == .p010 ? 6 : 0, halvesColumns: true,
            halvesRows: true, interleavesChroma: format.pixelFormat.planeCount == 2)
        let grading = make(layout, format)
        frame.write { grading.apply(to: $0.planes) }
        return frame
    }
}
