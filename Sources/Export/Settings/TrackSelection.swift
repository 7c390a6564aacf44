import MovieFiles

/// Which tracks of a kind are taken.
package enum TrackSelection: Codable, Sendable, Hashable {
    case all
    case none
    /// In this order; the first one is played without being asked.
    case chosen([Choice])

    package enum Choice: Codable, Sendable, Hashable {
        /// From 1, among those of its kind.
        case number(Int)
        /// All in a language: BCP 47, or ISO 639 with two or three letters.
        case language(String)
    }

    /// - Parameter text: Numbers and languages with commas between them, or `all` or `none`; nil for anything else.
    package init?(_ text: String) {
        switch text.lowercased() {
        case "all": self = .all
        case "none": self = .none
        default:
            let choices = text.split(separator: ",", omittingEmptySubsequences: false).map { Choice(String($0)) }
            guard !choices.contains(nil) else { return nil }
            self = .chosen(choices.compactMap(\.self))
        }
    }

    /// Both, the other one behind it; nil where one of them leaves no choice.
    package func adding(_ other: TrackSelection) -> TrackSelection? {
        guard case .chosen(let first) = self, case .chosen(let second) = other else { return nil }
        return .chosen(first + second)
    }
}

extension TrackSelection.Choice {
    init?(_ text: String) {
        let text = text.filter { $0 != " " }
        if let number = Int(text) {
            guard number > 0 else { return nil }
            self = .number(number)
        } else if text.lowercased() != "all", let language = TrackLanguage(text) {
            self = .language(language.tag)
        } else {
            return nil
        }
    }

    /// Which tracks it means, by their places from 0.
    func places(among tracks: [TrackAttributes]) -> [Int] {
        switch self {
        case .number(let number): tracks.indices.contains(number - 1) ? [number - 1] : []
        case .language(let name):
            TrackLanguage(name).map { language in
                tracks.indices.filter { tracks[$0].language.map(language.includes) ?? false }
            } ?? []
        }
    }
}

extension TrackLanguage {
    /// Whether somebody who asks for this one means the other: English is also that of Britain, but not the other way around.
    fileprivate func includes(_ other: TrackLanguage) -> Bool {
        other.tag.lowercased() == tag.lowercased() || (!tag.contains("-") && code != "und" && other.code == code)
    }
}
