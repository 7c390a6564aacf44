/// Where a pixel's luma lies in a row of a frame's first plane.
struct LumaSamples {
    private let bytesPerPixel: Int
    private let offset: Int
    /// Of 16-bit samples, how far they are moved to 8 bits; 0 for 8-bit ones.
    private let shift: Int

    /// - Parameter format: GStreamer's name; `nil` for one that has no luma in 8 or 10 bits.
    init?(_ format: String) {
        switch format {
        case "I420", "YV12", "NV12", "NV21", "Y42B", "Y444", "GRAY8", "Y41B":
            (bytesPerPixel, offset, shift) = (1, 0, 0)
        case "YUY2", "YVYU": (bytesPerPixel, offset, shift) = (2, 0, 0)
        case "UYVY": (bytesPerPixel, offset, shift) = (2, 1, 0)
        case "I420_10LE", "I422_10LE", "Y444_10LE": (bytesPerPixel, offset, shift) = (2, 0, 2)
        case "P010_10LE": (bytesPerPixel, offset, shift) = (2, 0, 8)
        default: return nil
        }
    }

    /// 0 to 255.
    func value(_ line: UnsafeMutableRawPointer, _ column: Int) -> Int {
        let place = line + column * bytesPerPixel + offset
        guard shift > 0 else { return Int(place.load(as: UInt8.self)) }
        return Int(UInt16(littleEndian: place.load(as: UInt16.self)) >> UInt16(shift))
    }
}
