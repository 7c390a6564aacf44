/// What decodes photos other than JPEGs: loaded for the first of them, where it is installed.
package enum PhotoLibraries {
    /// Loads them. Blocks.
    ///
    /// - Returns: what each decodes, and nil or why it is not there.
    package static func load() -> [(kinds: String, failure: PhotoFailure?)] {
        var (heif, raw): (PhotoFailure?, PhotoFailure?)
        do { _ = try HEIFLibrary.find() } catch { heif = error }
        do { _ = try RawLibrary.find() } catch { raw = error }
        return [("HEIC and AVIF photos", heif), ("raw photos and DNG", raw)]
    }
}
