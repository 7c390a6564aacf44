import CGStreamer

/// Takes over a string that the caller must free.
func takenString(_ pointer: UnsafeMutablePointer<gchar>?) -> String? {
    guard let pointer else { return nil }
    defer { g_free(pointer) }
    return String(cString: pointer)
}

/// Copies a string that someone else owns.
func copiedString(_ pointer: UnsafePointer<gchar>?) -> String? {
    pointer.map { String(cString: $0) }
}

/// Takes over a null-terminated array of strings.
func takenStrings(_ array: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    defer { g_strfreev(array) }
    var strings: [String] = []
    while let array, let text = array[strings.count] { strings.append(String(cString: text)) }
    return strings
}
