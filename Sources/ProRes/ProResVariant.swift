/// How much of a frame is kept (Apple, "ProRes White Paper"); the raw values are what GStreamer calls them in
/// `video/x-prores, variant=`.
package enum ProResVariant: String, Sendable, CaseIterable {
    case proxy
    case lt
    case standard
    case hq
    case fourFourFourFour = "4444"

    /// What it holds of the colours.
    package var chroma: FrameLayout.Chroma { self == .fourFourFourFour ? .fourFourFour : .fourTwoTwo }

    /// The step that easy frames are written with, in quarters of a level; see ``Quantiser``. Each makes the frame of
    /// ffmpeg's prores_ks with its defaults, or a better one, in fewer bytes: the table is in `pipelines/encoders/prores.conf`.
    var finestStep: Double {
        switch self {
        case .proxy: 48
        case .lt: 13
        case .standard: 8
        case .hq, .fourFourFourFour: 5.8
        }
    }

    /// Bits that a macroblock has at Apple's target data rate, for frames of at most as many macroblocks: small frames
    /// get more for each. The same numbers are the ceiling of other encoders.
    func bitsPerMacroblock(_ macroblocks: Int) -> Int {
        let sizes = [1620, 2700, 6075]
        let bits =
            switch self {
            case .proxy: [300, 242, 220, 194]
            case .lt: [720, 560, 490, 440]
            case .standard: [1050, 808, 710, 632]
            case .hq: [1566, 1216, 1070, 950]
            case .fourFourFourFour: [2350, 1828, 1600, 1425]
            }
        return bits[sizes.firstIndex { macroblocks <= $0 } ?? sizes.count]
    }
}
