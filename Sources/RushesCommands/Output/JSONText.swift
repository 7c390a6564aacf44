import Foundation

/// Answers for programs.
enum JSONText {
    /// One object in one line, its keys in order, slashes as they are.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
