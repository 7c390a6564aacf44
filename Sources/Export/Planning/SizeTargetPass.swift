import Encoding

/// One of the times that an input is encoded until its output has the size that was asked for.
///
/// Encoders that know two passes get them: the first round then only learns. For the others each round writes the file, as
/// does each one after the second, which are corrections.
struct SizeTargetPass: Sendable {
    /// From 1.
    var number = 1
    /// The file between the two passes.
    let statistics: String
    /// Whether that has been written.
    var isLearned = false

    var pass: EncodingPass? {
        if isLearned { return .second(statistics: statistics) }
        return number == 1 ? .first(statistics: statistics) : nil
    }

    /// For people; `nil` where one round is most likely enough.
    func words(isFirstPass: Bool) -> String? {
        switch (number, isLearned) {
        case (1, _): isFirstPass ? "Pass 1 of 2" : nil
        case (2, true): "Pass 2 of 2"
        default: "Once more, as the size was missed"
        }
    }

    /// Which part of the whole work it is, from 0 to 1.
    ///
    /// - Parameter firstShare: of the first of two passes.
    func share(isFirstPass: Bool, _ firstShare: Double) -> Range<Double> {
        // One file is seldom enough where its encoder knows one pass only.
        let first = isFirstPass || isLearned ? firstShare : 0.5
        return switch number {
        case 1: 0..<first
        case 2: first..<1
        default: 1..<1
        }
    }
}
