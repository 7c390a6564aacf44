import Foundation
import TestSupport
import Testing

/// What other people's programs say about a movie.
enum Judge {
    private static let results = Made<Question, ToolResult>()

    /// What a program says about a file: asked once of the same bytes.
    static func ask(_ tool: String, _ options: [String], _ url: URL, _ more: [String] = []) async throws -> ToolResult {
        try await results.value(Question([tool] + options + more, about: url)) {
            try await Tool.inTurn(tool, options + [url.path] + more)
        }
    }

    /// The same of a program that must succeed.
    static func told(_ tool: String, _ options: [String], _ url: URL, _ more: [String] = []) async throws -> String {
        let result = try await ask(tool, options, url, more)
        guard result.status == 0 else { throw ToolError.failed(result) }
        return result.text
    }

    /// Decodes everything, and expects neither an error nor a word of warning but for lines that hold `excused`.
    static func decodesWithoutAWord(
        _ url: URL, _ comment: Comment? = nil, excused: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await ask("ffmpeg", ["-nostdin", "-v", "warning", "-xerror", "-i"], url, ["-f", "null", "-"])
        #expect(result.status == 0, comment, sourceLocation: sourceLocation)
        #expect(words(of: result, but: excused) == [], comment, sourceLocation: sourceLocation)
    }

    /// The same of many, by one run of the program; where that one has something to say, each is decoded by itself.
    static func decodeWithoutAWord(
        _ movies: [(url: URL, comment: Comment)], excused: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let maps = movies.indices.flatMap { ["-map", "\($0):v:0?", "-map", "\($0):a:0?"] }
        let result = try await Tool.inTurn(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-xerror"] + movies.flatMap { ["-i", $0.url.path] } + maps + [
                "-f", "null", "-",
            ])
        if result.status == 0, words(of: result, but: excused) == [] { return }
        for movie in movies {
            try await decodesWithoutAWord(
                movie.url, movie.comment, excused: excused, sourceLocation: sourceLocation)
        }
        #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    }

    private static func words(of result: ToolResult, but excused: String?) -> [Substring] {
        result.errors.split(separator: "\n").filter { line in excused.map { !line.contains($0) } ?? true }
    }

    /// Decodes everything with GStreamer, which has a demuxer of its own.
    static func playsInGStreamer(_ url: URL, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let result = try await Tool.inTurn(
            "gst-launch-1.0",
            [
                "-q", "filesrc", "location=\(url.path)", "!", "qtdemux", "name=d",
                "d.video_0", "!", "queue", "!", "decodebin", "!", "fakesink",
                "d.audio_0", "!", "queue", "!", "decodebin", "!", "fakesink",
            ])
        #expect(result.status == 0, sourceLocation: sourceLocation)
        #expect(!result.errors.contains("ERROR"), "\(result.errors)", sourceLocation: sourceLocation)
    }

    /// One property of a movie as mediainfo tells it; its text is empty where there is none.
    static func mediainfo(_ url: URL, _ section: String, _ property: String) async throws -> String {
        try await told("mediainfo", ["--Inform=\(section);%\(property)%"], url)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Tags of a movie by their names, without groups, as exiftool tells them; those that are not there are left out.
    static func exiftool(_ url: URL, _ tags: String...) async throws -> [String: String] {
        let result = try await ask("exiftool", ["-json"] + tags.map { "-\($0)" }, url)
        // With an error among the tags the status is 1.
        let root = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]]
        guard var told = root?.first else { throw ToolError.unexpectedOutput(result, "exiftool said nothing") }
        told["SourceFile"] = nil
        return told.mapValues { "\($0)" }
    }

    /// Expects every program to open a movie without a word of warning, but for what exiftool says of the original too.
    static func opensWithoutAWord(
        _ url: URL, asDoes original: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await decodesWithoutAWord(url, sourceLocation: sourceLocation)
        let warned = try await exiftool(url, "Warning", "Error")
        #expect(warned["Error"] == nil, sourceLocation: sourceLocation)
        var expected: String?
        if let original { expected = try await exiftool(original, "Warning", "Error")["Warning"] }
        #expect(warned["Warning"] == expected, sourceLocation: sourceLocation)
        #expect(try await mediainfo(url, "General", "IsTruncated") == "", sourceLocation: sourceLocation)
        let found = try await ask("gst-discoverer-1.0", [], url)
        #expect(found.status == 0 && !found.text.contains("rror"), "\(found.text)", sourceLocation: sourceLocation)
    }
}
