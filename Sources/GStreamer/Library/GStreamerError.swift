import CGStreamer

/// What GStreamer said went wrong, and where.
package struct GStreamerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// GLib's error domain, such as "gst-resource-error-quark", or "rushes" for what this layer found itself.
    package var domain: String
    /// The code within the domain (`GstResourceError` and its siblings).
    package var code: Int
    /// The path of the element that reported it, or what was being made.
    package var element: String
    /// The sentence for people.
    package var message: String
    /// Details for developers; empty if there are none.
    package var debug: String

    /// An error that this layer found itself, unless a domain is given.
    package init(domain: String? = nil, code: Int = 0, element: String, message: String, debug: String = "") {
        self.domain = domain ?? Self.own
        self.code = code
        self.element = element
        self.message = message
        self.debug = debug
    }

    /// Takes a `GError` over and frees it.
    init(adopting error: UnsafeMutablePointer<GError>?, element: String, debug: String = "") {
        defer { g_clear_error_pointer(error) }
        self.init(
            domain: error.flatMap { rushes_error_domain($0).map { String(cString: $0) } } ?? "unknown",
            code: Int(error?.pointee.code ?? 0), element: element,
            message: error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "unknown error", debug: debug)
    }

    /// Whether it is GStreamer's own, and not what this layer found itself, such as that time ran out.
    package var isReported: Bool { domain != Self.own }

    private static let own = "rushes"

    package var description: String { element.isEmpty ? message : "\(element): \(message)" }

    /// Whether the disk was full (`GST_RESOURCE_ERROR_NO_SPACE_LEFT`).
    package var isDiskFull: Bool { isResource(GST_RESOURCE_ERROR_NO_SPACE_LEFT) }
    /// Whether the device is used by another program (`GST_RESOURCE_ERROR_BUSY`).
    package var isBusy: Bool { isResource(GST_RESOURCE_ERROR_BUSY) }
    /// Whether the device or file does not exist (`GST_RESOURCE_ERROR_NOT_FOUND`).
    package var isNotFound: Bool { isResource(GST_RESOURCE_ERROR_NOT_FOUND) }
    /// Whether permission is missing (`GST_RESOURCE_ERROR_NOT_AUTHORIZED`).
    package var isNotAuthorized: Bool { isResource(GST_RESOURCE_ERROR_NOT_AUTHORIZED) }

    /// Whether the bytes are of no kind that is known (`GST_STREAM_ERROR_TYPE_NOT_FOUND`).
    package var isUnknownType: Bool {
        // Text has a type, but a wrong one.
        let codes = [GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE].map { Int($0.rawValue) }
        return domain == "gst-stream-error-quark" && codes.contains(code)
    }

    /// Whether a decoder failed or none is installed, where the container itself could be read.
    package var isAboutDecoding: Bool {
        lacksDecoder || domain == "gst-stream-error-quark" && code == Int(GST_STREAM_ERROR_DECODE.rawValue)
    }

    /// Whether none is installed.
    package var lacksDecoder: Bool {
        domain == "gst-stream-error-quark" && code == Int(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue)
            || domain == "gst-core-error-quark" && code == Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)
    }

    private func isResource(_ wanted: GstResourceError) -> Bool {
        domain == "gst-resource-error-quark" && code == Int(wanted.rawValue)
    }
}

private func g_clear_error_pointer(_ error: UnsafeMutablePointer<GError>?) {
    if let error { g_error_free(error) }
}
