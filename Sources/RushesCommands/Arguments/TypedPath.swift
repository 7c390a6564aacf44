import Foundation
import SystemPackage

/// A path as it was typed.
///
/// - Throws: where it is empty, which would be the current folder, or names no file, as other programs have it: ``NoFile``.
func localPath(_ argument: String) throws -> String {
    guard NoFile(argument) == nil else { throw EmptyPath() }
    return try nonEmpty(argument)
}

/// - Throws: where it is empty.
func nonEmpty(_ argument: String) throws -> String {
    guard !argument.isEmpty else { throw EmptyPath() }
    return argument
}

/// What it is called, the argument parser knows.
private struct EmptyPath: Error, CustomStringConvertible {
    var description: String { "It is empty." }
}

extension FilePath {
    /// A path as it was typed, byte for byte.
    ///
    /// A Linux file name is bytes, but Swift's `CommandLine.arguments`, and with them the argument parser, put U+FFFD where
    /// they are not UTF-8: that would be another file. So the process's own argument is looked for.
    ///
    /// - Parameter occurrence: Which of the arguments that read alike, from 0: two names can differ in those bytes only.
    init(typed argument: String, occurrence: Int = 0) {
        guard argument.unicodeScalars.contains("\u{FFFD}") else {
            self.init(argument)
            return
        }
        let places = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.compactMap { bytes in
            let text = String(cString: bytes)
            if text == argument { return bytes }
            // An option and its value in one: --output=NAME.
            guard text.hasPrefix("--"), text.hasSuffix("=\(argument)"), let equals = strchr(bytes, 0x3D) else {
                return nil
            }
            return equals + 1
        }
        guard places.indices.contains(occurrence) else {
            self.init(argument)
            return
        }
        self.init(platformString: places[occurrence])
    }

    /// Several of them, in order.
    static func typed(_ arguments: [String]) -> [FilePath] {
        var seen: [String: Int] = [:]
        return arguments.map { argument in
            defer { seen[argument, default: 0] += 1 }
            return FilePath(typed: argument, occurrence: seen[argument, default: 0])
        }
    }
}
