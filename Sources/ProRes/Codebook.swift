/// A variable-length code of ProRes: short numbers as Rice codes, long ones as exponential Golomb codes.
///
/// Source: SMPTE RDD 36, Golomb combination codes: a codebook is the order of each code and the number of leading zeros at which the second
/// begins.
struct Codebook: Sendable {
    private let riceOrder: UInt32
    private let exponentialOrder: UInt32
    /// Leading zeros of the longest Rice code, plus one.
    private let switchBits: UInt32

    init(rice: UInt32, exponential: UInt32, last: UInt32) {
        (riceOrder, exponentialOrder, switchBits) = (rice, exponential, last + 1)
    }

    /// The code word and how many bits it has.
    func code(_ value: UInt32) -> (bits: UInt32, count: UInt32) {
        let first = switchBits << riceOrder
        if value < first {
            let zeros = value >> riceOrder
            return (1 << riceOrder | value & (1 << riceOrder - 1), zeros + 1 + riceOrder)
        }
        let rest = value - first + 1 << exponentialOrder
        let exponent = UInt32(31 - rest.leadingZeroBitCount)
        return (rest, switchBits + 2 * exponent - exponentialOrder + 1)
    }
}

extension Codebook {
    /// For the first DC coefficient of a slice.
    static let firstDC = Codebook(rice: 5, exponential: 6, last: 0)
    /// For the differences of the following ones, by the code of the last difference, 0 to 3 and above.
    static let dc = [
        Codebook(rice: 0, exponential: 1, last: 0), Codebook(rice: 1, exponential: 2, last: 0),
        Codebook(rice: 2, exponential: 3, last: 1), Codebook(rice: 3, exponential: 4, last: 0),
    ]
    /// For runs of zeros by the last run, 0 to 15 and above.
    static let run = [
        short6, short6, short5, short5, short4, middle, middle, middle, middle, long, long, long, long, long, long,
        longest,
    ]
    /// For magnitudes less one by the last magnitude, 0 (there is none) to 9 and above.
    static let level = [
        short4, Codebook(rice: 0, exponential: 2, last: 2), short5, short6, short4, long, long, long, long, longest,
    ]

    private static let short4 = Codebook(rice: 0, exponential: 1, last: 0)
    private static let short5 = Codebook(rice: 0, exponential: 1, last: 1)
    private static let short6 = Codebook(rice: 0, exponential: 1, last: 2)
    private static let middle = Codebook(rice: 1, exponential: 2, last: 1)
    private static let long = Codebook(rice: 1, exponential: 2, last: 0)
    private static let longest = Codebook(rice: 2, exponential: 3, last: 0)
}

/// Code words of small numbers, ready to be written: `bits << 8 | count`.
struct CodeTable: Sendable {
    /// Numbers from here on are made when they come: they are one in thousands.
    static let size = 64
    let words: [UInt32]

    /// One row for each codebook.
    init(_ books: [Codebook]) {
        words = books.flatMap { book in
            (0..<UInt32(Self.size)).map { value in
                let code = book.code(value)
                return code.bits << 8 | code.count
            }
        }
    }

    static let run = CodeTable(Codebook.run)
    static let level = CodeTable(Codebook.level)
}
