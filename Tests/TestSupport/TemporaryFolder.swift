import Foundation

/// A folder of one test, removed with everything in it when the last reference to it is gone.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// Makes a folder with a unique name.
    ///
    /// - Parameter parent: Left out, where temporary files belong.
    public init(in parent: String? = nil) throws {
        let parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/rushes-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ToolError.couldNotStart("a folder in \(parent)", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it, which need not exist.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of what is in it, sorted.
    public var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
