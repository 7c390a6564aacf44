import Foundation
import MediaTypes

/// The matrix of a track or movie header (ISO/IEC 14496-12 section 8.3.2, QuickTime File Format, "Matrices").
///
/// A point (x, y) of the stored frame, y downwards, is shown at (a·x + c·y + tx, b·x + d·y + ty).
/// Numbers are 16.16 fixed point, those of the last column 2.30.
struct TransformationMatrix: Hashable, Sendable {
    var a: Int32
    var b: Int32
    var u: Int32 = 0
    var c: Int32
    var d: Int32
    var v: Int32 = 0
    var tx: Int32
    var ty: Int32
    var w: Int32 = 1 << 30

    static let one: Int32 = 1 << 16

    /// The matrix of an orientation, with the translation that moves the turned frame back to where x and y begin.
    ///
    /// Apple's cameras write the same; players that ignore it show the right frame all the same.
    ///
    /// - Parameters:
    ///   - width: of the track header, 16.16 fixed point.
    ///   - height: of the track header, 16.16 fixed point.
    init(_ orientation: MovieOrientation, width: UInt32, height: UInt32) {
        let (cosine, sine): (Int32, Int32) =
            switch orientation.rotation {
            case .none: (1, 0)
            case .quarter: (0, 1)
            case .half: (-1, 0)
            case .threeQuarters: (0, -1)
            }
        let mirror: Int32 = orientation.isMirrored ? -1 : 1
        let width = Int32(clamping: width)
        let height = Int32(clamping: height)
        let (a, b, c, d) = (cosine * mirror, sine * mirror, -sine, cosine)
        self.init(
            a: a * Self.one, b: b * Self.one, c: c * Self.one, d: d * Self.one,
            // A product with 0 or ±1 each: the far edge lands on the negative side, and moves back by its length.
            tx: (a < 0 ? width : 0) + (c < 0 ? height : 0),
            ty: (b < 0 ? width : 0) + (d < 0 ? height : 0))
    }

    init(a: Int32, b: Int32, c: Int32, d: Int32, tx: Int32, ty: Int32) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    init(from reader: inout ByteReader) throws(MovieFileError) {
        a = try reader.read()
        b = try reader.read()
        u = try reader.read()
        c = try reader.read()
        d = try reader.read()
        v = try reader.read()
        tx = try reader.read()
        ty = try reader.read()
        w = try reader.read()
    }

    /// The matrix as its 36 bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(table: [a, b, u, c, d, v, tx, ty, w])
        return writer.bytes
    }

    /// The orientation that comes closest: scaling is ignored, an angle between goes to the next quarter turn.
    var orientation: MovieOrientation {
        let isMirrored = Double(a) * Double(d) - Double(b) * Double(c) < 0
        // Mirroring comes first, so it negates the column that x is multiplied with.
        let cosine = isMirrored ? -Double(a) : Double(a)
        let sine = isMirrored ? -Double(b) : Double(b)
        let quarterTurns = Int((atan2(sine, cosine) / (.pi / 2)).rounded())
        let rotation = MovieOrientation.Rotation(rawValue: (quarterTurns + 4) % 4 * 90) ?? .none
        return MovieOrientation(rotation: rotation, isMirrored: isMirrored)
    }

    /// This matrix followed by `next`, for their turns only: translation is dropped.
    func concatenated(with next: TransformationMatrix) -> TransformationMatrix {
        func sum(_ x: Int32, _ y: Int32, _ z: Int32, _ w: Int32) -> Int32 {
            let value = (Double(x) * Double(y) + Double(z) * Double(w)) / Double(Self.one)
            return Int32(clamping: Int64(value.rounded()))
        }
        return TransformationMatrix(
            a: sum(a, next.a, b, next.c), b: sum(a, next.b, b, next.d),
            c: sum(c, next.a, d, next.c), d: sum(c, next.b, d, next.d), tx: 0, ty: 0)
    }
}
