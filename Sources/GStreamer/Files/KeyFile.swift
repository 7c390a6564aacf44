import CGStreamer
import Foundation
import SystemPackage

/// A GLib key file, the format of desktop entries, encoding profiles and presets: groups of `key=value` lines.
///
/// Read by GLib's own parser, so it obeys the same rules as GStreamer's own files: comments are lines that begin with
/// `#`, a backslash begins an escape (`\s` space, `\n`, `\t`, `\r`, `\\`), and of two equal keys the last one counts.
package struct KeyFile: Sendable {
    /// The lines below a name in brackets.
    package struct Group: Sendable {
        /// The name in brackets.
        package let name: String
        /// In the order of the file.
        package let entries: [(key: String, value: String)]
        private let lists: [String: [String]]

        /// The key's value, or `nil` if there is none.
        package subscript(_ key: String) -> String? { entries.last { $0.key == key }?.value }
        /// A value of several parts, separated by semicolons; `\;` is a semicolon in a part. Spaces around the parts and
        /// empty parts do not count.
        package func list(_ key: String) -> [String] { lists[key] ?? [] }
    }

    /// In the order of the file.
    package let groups: [Group]

    /// - Throws: ``GStreamerError`` with the file's path and what is wrong with it.
    package init(path: String) throws(GStreamerError) {
        do { try self.init(Self.bytes(of: path), name: path) } catch let error as Errno {
            throw GStreamerError(element: path, message: "\(error)")
        } catch { throw error as? GStreamerError ?? GStreamerError(element: path, message: "\(error)") }
    }

    /// Of an ordinary file: a pipe would hold up its reader.
    private static func bytes(of path: String) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
            var status = stat()
            guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw GStreamerError(element: path, message: "it is not a file")
            }
            guard status.st_size <= largest else { throw Errno.fileTooLarge }
            return try [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Bytes.
    private static let largest = 1 << 20

    /// A file that is in memory.
    ///
    /// - Parameters:
    ///   - bytes: its text, in UTF-8.
    ///   - name: what errors call it.
    /// - Throws: ``GStreamerError`` with the name and what is wrong with it.
    package init(_ bytes: [UInt8], name: String) throws(GStreamerError) {
        let file = g_key_file_new()
        defer { g_key_file_unref(file) }
        var failure: UnsafeMutablePointer<GError>?
        let isLoaded = bytes.withUnsafeBytes { bytes in
            g_key_file_load_from_data(
                file, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gsize(bytes.count), G_KEY_FILE_NONE,
                &failure)
        }
        guard isLoaded != 0 else { throw GStreamerError(adopting: failure, element: name) }
        try self.init(file, path: name)
    }

    private init(_ file: OpaquePointer?, path: String) throws(GStreamerError) {
        groups = try takenStrings(g_key_file_get_groups(file, nil)).map { name throws(GStreamerError) in
            try Group(name, of: file, path: path)
        }
    }

    /// The first group of this name, or `nil` if there is none.
    package subscript(_ group: String) -> Group? { groups.first { $0.name == group } }
}

extension KeyFile.Group {
    fileprivate init(_ name: String, of file: OpaquePointer?, path: String) throws(GStreamerError) {
        self.name = name
        var entries: [(key: String, value: String)] = []
        var lists: [String: [String]] = [:]
        for key in takenStrings(g_key_file_get_keys(file, name, nil, nil)) {
            var failure: UnsafeMutablePointer<GError>?
            guard let list = g_key_file_get_string_list(file, name, key, nil, &failure) else {
                throw GStreamerError(adopting: failure, element: path)
            }
            let parts = takenStrings(list)
            lists[key] = parts.map(\.trimmingWhitespace).filter { !$0.isEmpty }
            // As one string, a value with "\;" is refused, because only lists have that escape.
            let whole = takenString(g_key_file_get_string(file, name, key, nil))
            entries.append((key, whole ?? parts.joined(separator: ";")))
        }
        (self.entries, self.lists) = (entries, lists)
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
