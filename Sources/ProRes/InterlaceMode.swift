/// Whether a frame is one image or two fields of it, of two moments (RDD 36, interlace_mode).
package enum InterlaceMode: UInt8, Sendable {
    /// One image.
    case progressive = 0
    /// Two fields, of which that with the first row is shown first.
    case topFieldFirst = 1
    /// Two fields, of which that with the second row is shown first.
    case bottomFieldFirst = 2

    /// Which images a frame is made of, in the order in which they are written: that in which they are shown.
    func images(of planes: [Plane]) -> [[Plane]] {
        guard self != .progressive else { return [planes] }
        return [true, false].map { isFirst in
            planes.map { $0.field(top: isFirst == (self == .topFieldFirst)) }
        }
    }
}
