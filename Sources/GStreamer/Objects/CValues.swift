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

/// Carries a Swift closure through a C callback's user data; the C side owns it until its destroy notify runs.
final class ClosureBox<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    /// The box as user data, holding one reference that ``releaseClosureBox`` gives back.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func body(_ data: UnsafeMutableRawPointer?) -> Body? {
        data.map { Unmanaged<ClosureBox<Body>>.fromOpaque($0).takeUnretainedValue().body }
    }
}

/// The destroy notify for every ``ClosureBox``, whatever it holds.
let releaseClosureBox: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}
