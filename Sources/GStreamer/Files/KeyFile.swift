import CGStreamer

/// A GLib key file, the format of desktop entries, encoding profiles and presets: groups of `key=value` lines.
///
/// Read by GLib's own parser, so it obeys the same rules as GStreamer's own files.
public struct KeyFile: Sendable {
    public struct Group: Sendable {
        public let name: String
        /// In the order of the file.
        public let entries: [(key: String, value: String)]

        public subscript(_ key: String) -> String? { entries.last { $0.key == key }?.value }
        /// A value of several parts, separated by semicolons.
        public func list(_ key: String) -> [String] {
            self[key]?.split(separator: ";").map { $0.trimmingWhitespace } ?? []
        }
    }

    /// In the order of the file.
    public let groups: [Group]

    /// - Throws: ``GStreamerError`` with the file's path and what is wrong with it.
    public init(path: String) throws(GStreamerError) {
        let file = g_key_file_new()
        defer { g_key_file_unref(file) }
        var failure: UnsafeMutablePointer<GError>?
        guard g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &failure) != 0 else {
            throw GStreamerError(adopting: failure, element: path)
        }
        groups = strings(g_key_file_get_groups(file, nil)).map { group in
            let keys = strings(g_key_file_get_keys(file, group, nil, nil))
            return Group(name: group, entries: keys.map { ($0, takenString(g_key_file_get_string(file, group, $0, nil)) ?? "") })
        }
    }

    public subscript(_ group: String) -> Group? { groups.first { $0.name == group } }
}

extension StringProtocol {
    fileprivate var trimmingWhitespace: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// Takes over a null-terminated array of strings.
private func strings(_ array: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    defer { g_strfreev(array) }
    var strings: [String] = []
    while let array, let text = array[strings.count] { strings.append(String(cString: text)) }
    return strings
}
