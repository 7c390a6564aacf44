import Foundation
import TestSupport
import Testing

/// Takes of test sources, as a person would start them.
enum Takes {
    /// A small moving frame and a tone, without a word on the progress.
    static let small = [
        "--camera", "test:pattern=ball,size=320x240,rate=30", "--microphone", "test", "--progress", "none",
    ]

    /// Runs `rushes record FILE OPTIONS` in a folder and expects it to end well; returns the movie's path.
    @discardableResult
    static func record(
        _ name: String, in folder: TemporaryFolder, _ options: [String], sources: [String] = small,
        limit: Duration = .seconds(120), environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await recordCounting(
            name, in: folder, options, sources: sources, limit: limit, environment: environment,
            sourceLocation: sourceLocation
        ).file
    }

    /// The same, with the number of frames that the take says were dropped: what a busy machine costs is no fault, as
    /// long as it is told.
    static func recordCounting(
        _ name: String, in folder: TemporaryFolder, _ options: [String], sources: [String] = small,
        limit: Duration = .seconds(120), environment: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (file: String, dropped: Int) {
        let result = try await BuiltCommand.rushes.run(
            ["record"] + sources + options + ["--", name], limit: limit, environment: environment, folder: folder.path)
        #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
        Quiet.expect(result.errors, sourceLocation: sourceLocation)
        return (folder.file(name), dropped(in: result.errors))
    }

    /// How many frames a take says at its end were dropped.
    static func dropped(in words: String) -> Int {
        words.firstMatch(of: /(\d+) frames? dropped/).flatMap { Int($0.1) } ?? 0
    }
}

/// What no person wants to read.
enum Quiet {
    /// GLib's and GStreamer's own lines, and a crash's.
    static func expect(_ errors: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for word in ["CRITICAL", "WARNING", "GStreamer-", "GLib", "Fatal error", "Stack dump", "(process:"] {
            #expect(!errors.contains(word), "\(errors)", sourceLocation: sourceLocation)
        }
    }
}
