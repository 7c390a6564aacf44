/// How much ProRes keeps (Apple, "ProRes White Paper"). All but `fourFourFourFour` are 4:2:2, all have 10 bit here.
public enum ProResProfile: String, Sendable, Hashable, CaseIterable {
    case proxy
    case lt
    case standard = "422"
    case hq
    case fourFourFourFour = "4444"

    /// Apple's target rate in bits per pixel, from the white paper's table for 1920×1080 at 29.97 frames a second.
    public var targetBitsPerPixel: Double {
        let megabitsPerSecond: Double =
            switch self {
            case .proxy: 45
            case .lt: 102
            case .standard: 147
            case .hq: 220
            case .fourFourFourFour: 330
            }
        return megabitsPerSecond * 1_000_000 * 1001 / 30_000 / (1920 * 1080)
    }
}
