import GStreamer

/// What is said of streams that nothing installed decodes.
enum MissingDecoder {
    /// A sentence about a track that is left out.
    static func note(_ stream: SourceStream) -> String {
        "Audio track \(stream.index + 1) (\(stream.caps.codecName)) was left out, as no decoder for it is installed; \(cure)."
    }

    /// A sentence about a file that has nothing else.
    static func refusal(_ stream: SourceStream, of name: String) -> String {
        "\(name) cannot be read: no decoder for its audio is installed (\(stream.caps.codecName)); \(cure)."
    }

    /// What to do about it.
    private static var cure: String {
        guard let package = packages.first(where: { !ElementFactory.exists($0.element) })?.name else {
            return "no Debian package decodes it, so convert it with the program that made it"
        }
        return "install \(package)"
    }

    /// Debian's packages with decoders, those that have most first, and an element that tells whether each is installed.
    private static let packages: [(element: String, name: String)] = [
        ("avdec_aac", "gstreamer1.0-libav"), ("dtsdec", "gstreamer1.0-plugins-bad"),
        ("a52dec", "gstreamer1.0-plugins-ugly"), ("flacdec", "gstreamer1.0-plugins-good"),
        ("vorbisdec", "gstreamer1.0-plugins-base"),
    ]
}
