import Foundation
import TestSupport

/// What ffprobe says of music: its tags and its covers.
struct MusicReport: Decodable {
    struct Stream: Decodable {
        var codec_name: String
        var disposition: [String: Int]

        var isCover: Bool { disposition["attached_pic"] == 1 }
    }
    private struct Format: Decodable { var tags: [String: String]? }

    private var format: Format
    var streams: [Stream]

    static func inspect(_ file: String) async throws -> MusicReport {
        let told = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", file])
        return try JSONDecoder().decode(Self.self, from: told.output)
    }

    /// By their names in small letters.
    var tags: [String: String] {
        Dictionary((format.tags ?? [:]).map { ($0.lowercased(), $1) }) { first, _ in first }
    }
    /// The covers' codecs.
    var covers: [String] { streams.filter(\.isCover).map(\.codec_name) }
}
