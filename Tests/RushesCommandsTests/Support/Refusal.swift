import Foundation
import TestSupport
import Testing

/// What a person gets for a request that cannot be met.
enum Refusal {
    /// Runs the command in a folder and expects one sentence on standard error, nothing on standard output, this status,
    /// and that the folder is as it was.
    static func expect(
        _ arguments: [String], status: Int32, saying phrases: [String], in folder: TemporaryFolder? = nil,
        servers: Servers? = nil, environment: [String: String?] = [:], limit: Duration = .seconds(120),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let before = folder.contents
        let result = try await BuiltCommand.rushes.run(
            arguments, servers: servers, limit: limit, environment: environment, folder: folder.path)
        #expect(folder.contents == before, "a file was left", sourceLocation: sourceLocation)
        expect(result, status: status, saying: phrases, sourceLocation: sourceLocation)
    }

    /// Judges what a refused command said.
    static func expect(
        _ result: ToolResult, status: Int32, saying phrases: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
        #expect(result.text.isEmpty, "\(result)", sourceLocation: sourceLocation)
        expectSentence(result.errors, sourceLocation: sourceLocation)
        for phrase in phrases { #expect(result.errors.contains(phrase), "\(result)", sourceLocation: sourceLocation) }
    }

    /// One line, "rushes: …." or "…?", with a capital letter where it begins with a word.
    static func expectSentence(_ errors: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 && lines.last == "", "\(errors)", sourceLocation: sourceLocation)
        let line = lines.first ?? ""
        #expect(line.hasPrefix("rushes: "), "\(errors)", sourceLocation: sourceLocation)
        #expect(line.hasSuffix(".") || line.hasSuffix("?"), "\(errors)", sourceLocation: sourceLocation)
        #expect(!line.hasSuffix(".."), "\(errors)", sourceLocation: sourceLocation)
        #expect(
            line.range(of: #"[a-z]\. [A-Z]"#, options: .regularExpression) == nil, "two sentences: \(errors)",
            sourceLocation: sourceLocation)
        Quiet.expect(errors, sourceLocation: sourceLocation)
    }
}
