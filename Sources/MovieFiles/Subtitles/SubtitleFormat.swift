package import SystemPackage

/// A format of files of subtitles that are written.
package enum SubtitleFormat: Sendable, Hashable, CaseIterable {
    case subRip, webVTT, script

    /// What a file's ending stands for; nil for any other.
    package init?(_ path: FilePath) {
        let ending = path.extension?.lowercased()
        guard let format = Self.allCases.first(where: { $0.ending == ending }) else { return nil }
        self = format
    }

    private var ending: String {
        switch self {
        case .subRip: "srt"
        case .webVTT: "vtt"
        case .script: "ass"
        }
    }

    /// For people.
    package var displayName: String {
        switch self {
        case .subRip: "SubRip"
        case .webVTT: "WebVTT"
        case .script: "SubStation Alpha"
        }
    }

    /// A time of a file as the format writes it.
    func time(_ nanoseconds: Int64) -> String {
        let ticks = self == .script ? 100 : 1000
        let unit = 1_000_000_000 / Int64(ticks)
        let count = (max(0, nanoseconds) + unit / 2) / unit
        let (seconds, part) = count.quotientAndRemainder(dividingBy: Int64(ticks))
        let clock = "\(Self.two(seconds / 60 % 60)):\(Self.two(seconds % 60))"
        switch self {
        case .subRip: return "\(Self.two(seconds / 3600)):\(clock),\(Self.three(part))"
        case .webVTT: return "\(Self.two(seconds / 3600)):\(clock).\(Self.three(part))"
        case .script: return "\(seconds / 3600):\(clock).\(Self.two(part))"
        }
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func three(_ number: Int64) -> String { (number < 100 ? "0" : "") + two(number) }
}
