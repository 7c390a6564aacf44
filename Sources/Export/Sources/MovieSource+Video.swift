import GStreamer

extension MovieSource {
    /// The first video track of a movie alone, decoded.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing.
    init(
        video file: InputFile, _ properties: InputProperties, _ filters: MediaReader.Filters,
        without reasons: RetryReasons
    ) throws(GStreamerError) {
        var properties = properties
        if let media = reasons.decoded(of: file) { properties.take(media) }
        let reader = try MediaReader(file, filters: filters, decoding: .init(properties, without: reasons)) {
            $0.kind == .video && $0.index == 0 ? .decode : .leaveOut
        }
        self.init(file: file, properties: properties, filters: filters, reader: reader)
    }
}
