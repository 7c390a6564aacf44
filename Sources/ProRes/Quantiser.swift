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

enum Scan {
    /// The order of the coefficients in frames that are not interlaced (RDD 36, block scan).
    static let progressive = [
        0, 1, 8, 9, 2, 3, 10, 11, 16, 17, 24, 25, 18, 19, 26, 27, 4, 5, 12, 20, 13, 6, 7, 14, 21, 28, 29, 22, 15, 23,
        30, 31,
        32, 33, 40, 48, 41, 34, 35, 42, 49, 56, 57, 50, 43, 36, 37, 44, 51, 58, 59, 52, 45, 38, 39, 46, 53, 60, 61, 54,
        47, 55,
        62, 63,
    ]
}
