import Foundation

/// What mediainfo says about a file: its fields by mediainfo's own names.
public struct MediaInfo: Sendable {
    public struct Track: Sendable {
        /// "General", "Video", "Audio", "Menu".
        public let type: String
        let fields: [String: String]

        /// A field, for example `track["Format_Profile"]`.
        public subscript(_ name: String) -> String? { fields[name] }
        /// A field that is a number, for example `track.number("Rotation")`.
        public func number(_ name: String) -> Double? { fields[name].flatMap { Double($0) } }
    }

    public let tracks: [Track]

    public var general: Track? { tracks.first { $0.type == "General" } }
    public var video: [Track] { tracks.filter { $0.type == "Video" } }
    public var audio: [Track] { tracks.filter { $0.type == "Audio" } }

    public static func inspect(_ file: String) async throws -> MediaInfo {
        let result = try await Tool.succeed("mediainfo", ["--Output=JSON", file])
        let root = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
        guard let media = root?["media"] as? [String: Any], let tracks = media["track"] as? [[String: Any]] else {
            throw ToolError.unexpectedOutput(result, "mediainfo knows no media in it")
        }
        return MediaInfo(
            tracks: tracks.map { track in
                // "extra" holds the fields that mediainfo has no name of its own for.
                let extra = track["extra"] as? [String: Any] ?? [:]
                let fields = track.merging(extra) { own, _ in own }.compactMapValues { $0 as? String }
                return Track(type: fields["@type"] ?? "", fields: fields)
            })
    }
}
