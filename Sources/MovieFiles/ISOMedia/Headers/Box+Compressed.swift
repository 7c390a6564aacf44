extension Box {
    /// What an index may be when it is no longer compressed, in bytes: far more than films of the time had.
    private static let maximumInflatedSize = 64 << 20

    /// Puts the index in the place of a `moov` that holds it compressed, as QuickTime Pro wrote movies for the web ("Compressed movie
    /// resources", QuickTime File Format).
    ///
    /// - Throws: `unsupported` where it is not compressed with zlib, `invalidBox` where it is damaged.
    mutating func decompress() throws(MovieFileError) {
        guard type == "moov", let compressed = self["cmov"] else { return }
        let parts = try Self.boxes(in: compressed.payload, at: compressed.payloadOffset).boxes
        guard let method = parts.first(where: { $0.type == "dcom" }),
            let data = parts.first(where: { $0.type == "cmvd" }),
            method.payload.elementsEqual("zlib".utf8)
        else { throw .unsupported(reason: "its index is compressed in a way that is not known") }
        // How large the index is comes first.
        let bytes = Zlib.inflated(Array(data.payload.dropFirst(4)), limit: Self.maximumInflatedSize)
        guard let bytes, let index = try? Box(bytes, at: fileOffset), index.type == "moov" else {
            throw .invalidBox("cmov", offset: compressed.fileOffset, reason: "what it holds is damaged")
        }
        self = index
    }
}
