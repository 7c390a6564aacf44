/// How a frame is cut: macroblocks of 16 by 16 pixels, in rows of slices of at most eight.
package struct FrameLayout: Sendable, Equatable {
    /// How many chroma samples there are: half as many across as luma's, or as many.
    package enum Chroma: Sendable { case fourTwoTwo, fourFourFour }

    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// How many chroma samples there are.
    package let chroma: Chroma
    /// Whether frames say how opaque each pixel is.
    package let hasAlpha: Bool
    /// Macroblocks across and down.
    let columns: Int
    let rows: Int
    /// Macroblocks down of each of two fields.
    var fieldRows: Int { (height + 31) / 32 }
    /// The slices of each row: the first macroblock and how many there are, 8, and at the end 4, 2 and 1.
    let slices: [(first: Int, count: Int)]

    /// - Parameters: pixels, at least 1 and at most 65535 each, which is what the header holds.
    package init?(width: Int, height: Int, chroma: Chroma, hasAlpha: Bool = false) {
        guard 1...65535 ~= width, 1...65535 ~= height else { return nil }
        (self.width, self.height, self.chroma, self.hasAlpha) = (width, height, chroma, hasAlpha)
        (columns, rows) = ((width + 15) / 16, (height + 15) / 16)
        var slices: [(first: Int, count: Int)] = []
        var (first, count) = (0, Self.slice)
        while first < columns {
            while columns - first < count { count /= 2 }
            slices.append((first, count))
            first += count
        }
        self.slices = slices
    }

    /// Macroblocks of a slice, as the frame header's logarithm of it says.
    static let slice = 8
    static let sliceLogarithm: UInt8 = 3

    package static func == (a: Self, b: Self) -> Bool {
        (a.width, a.height, a.chroma, a.hasAlpha) == (b.width, b.height, b.chroma, b.hasAlpha)
    }
}

/// Where the blocks of one macroblock lie in a plane, in the order in which they are written (RDD 36, slice data).
struct BlockOrder: Sendable {
    /// Samples of the plane that one macroblock is wide.
    let width: Int
    let places: [(x: Int, y: Int)]

    static let luma = BlockOrder(width: 16, places: [(0, 0), (8, 0), (0, 8), (8, 8)])
    static func chroma(_ chroma: FrameLayout.Chroma) -> BlockOrder {
        switch chroma {
        case .fourTwoTwo: BlockOrder(width: 8, places: [(0, 0), (0, 8)])
        case .fourFourFour: BlockOrder(width: 16, places: [(0, 0), (0, 8), (8, 0), (8, 8)])
        }
    }
}
