import Foundation

/// What exiftool says about a file: tags by their names with the group before them, "QuickTime:Make".
public struct ExifTool: Sendable {
    let tags: [String: String]

    /// A tag by its name, with or without its group: `["Rotation"]`, `["QuickTime:Rotation"]`.
    public subscript(_ name: String) -> String? {
        tags[name] ?? tags.first { $0.key.hasSuffix(":\(name)") }?.value
    }

    /// A tag that is a number.
    public func number(_ name: String) -> Double? { self[name].flatMap { Double($0) } }

    public static func inspect(_ file: String) async throws -> ExifTool {
        // -n: numbers as they are, not in words; -api QuickTimeUTC: the file's times are UTC, as the format says.
        let result = try await Tool.succeed("exiftool", ["-json", "-n", "-G", "-api", "QuickTimeUTC", file])
        let root = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]]
        guard let tags = root?.first else { throw ToolError.unexpectedOutput(result, "exiftool said nothing") }
        return ExifTool(tags: tags.mapValues { "\($0)" })
    }
}
