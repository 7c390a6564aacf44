/// How coarsely one frame is written: a matrix for its header, and the same as factors for the transform's output.
struct Quantiser: Sendable {
    /// Row by row; 2 to 63 (RDD 36, luma_quantization_matrix).
    let matrix: [UInt8]
    /// The `quantization_index` of every slice, 1 to 128: a factor for the whole matrix.
    let index: UInt8
    /// What the transform's output is multiplied with, row by row.
    let factors: [Float]

    /// What is added before a coefficient's magnitude is cut to a whole number. Half of one rounds; less saves more bits
    /// than it costs quality, as small coefficients are more frequent than large ones.
    static let rounding: Float = 0.36

    /// - Parameter step: the step between two levels, 4 (1 of a 10-bit orthonormal coefficient) and more, in quarters. What
    ///   lies between two whole numbers goes to the higher of them for as many of the high frequencies: any size of a
    ///   frame can be met.
    init(step: Double) {
        index = UInt8(min(max((step / 32).rounded(.up), 1), 128))
        let step = step / Double(index)
        var matrix = [UInt8](repeating: 4, count: 64)
        for (place, position) in Scan.progressive.enumerated() {
            matrix[position] = UInt8(min(max(step + Double(place) / 64, 2), 63))
        }
        self.matrix = matrix
        let index = Float(index)
        factors = matrix.enumerated().map { position, value in
            0.5 / (Float(value) * index * Transform.scale[position / 8] * Transform.scale[position % 8])
        }
    }
}

/// In which order the coefficients of a block are written (RDD 36, block scan).
enum Scan {
    /// Of frames that are not interlaced, and of what frequencies are for the eye.
    static let progressive = [
        0, 1, 8, 9, 2, 3, 10, 11, 16, 17, 24, 25, 18, 19, 26, 27, 4, 5, 12, 20, 13, 6, 7, 14, 21, 28, 29, 22, 15, 23,
        30, 31,
        32, 33, 40, 48, 41, 34, 35, 42, 49, 56, 57, 50, 43, 36, 37, 44, 51, 58, 59, 52, 45, 38, 39, 46, 53, 60, 61, 54,
        47, 55,
        62, 63,
    ]
    /// Of fields, between whose rows lie those of the other one: more of them changes from row to row.
    static let interlaced = [
        0, 8, 1, 9, 16, 24, 17, 25, 2, 10, 3, 11, 18, 26, 19, 27, 32, 40, 33, 34, 41, 48, 56, 49, 42, 35, 43, 50, 57,
        58, 51, 59,
        4, 12, 5, 6, 13, 20, 28, 21, 14, 7, 15, 22, 29, 36, 44, 37, 30, 23, 31, 38, 45, 52, 60, 53, 46, 39, 47, 54, 61,
        62, 55, 63,
    ]
}
