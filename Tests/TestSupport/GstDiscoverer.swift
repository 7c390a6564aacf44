import Foundation

/// What gst-discoverer-1.0 says about a file.
public struct GstDiscoverer: Sendable {
    /// All of it.
    public let text: String
    /// Seconds.
    public let duration: Double?
    public let isSeekable: Bool
    /// The lines that name streams: "video #1: H.264 (High Profile)".
    public let streams: [String]

    /// A tag's or field's value wherever it stands: `["image orientation"]` is "rotate-90".
    public subscript(_ name: String) -> String? {
        text.split(separator: "\n").lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix("\(name):") }
            .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
    }

    /// Throws where GStreamer cannot play the file.
    public static func inspect(_ file: String) async throws -> GstDiscoverer {
        let result = try await Tool.succeed("gst-discoverer-1.0", ["-v", file])
        guard result.text.contains("Done discovering") else {
            throw ToolError.unexpectedOutput(result, "gst-discoverer did not finish")
        }
        return GstDiscoverer(result.text)
    }

    init(_ text: String) {
        self.text = text
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        streams = lines.filter { $0.contains(#/^(video|audio|container|subtitles|unknown) #\d+:/#) }
        isSeekable = lines.contains("Seekable: yes")
        duration =
            lines.compactMap { line -> Double? in
                guard let match = line.wholeMatch(of: #/Duration: (\d+):(\d+):(\d+\.\d+)/#) else { return nil }
                guard let hours = Double(match.1), let minutes = Double(match.2) else { return nil }
                return hours * 3600 + minutes * 60 + (Double(match.3) ?? 0)
            }.first
    }
}
