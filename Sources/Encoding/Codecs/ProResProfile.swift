/// How much ProRes keeps (Apple, "ProRes White Paper"). All but `fourFourFourFour` are 4:2:2, all have 10 bit here.
public enum ProResProfile: String, Codable, Sendable, Hashable, CaseIterable {
    case proxy
    case lt
    case standard = "422"
    case hq
    case fourFourFourFour = "4444"
}
