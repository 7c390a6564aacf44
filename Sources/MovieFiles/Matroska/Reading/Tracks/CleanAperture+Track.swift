extension CleanAperture {
    /// - Returns: nil where a track of Matroska crops nothing.
    init?(_ track: TrackEntry) {
        guard let video = track.video, let size = track.size else { return nil }
        func cropped(_ one: ElementID, _ other: ElementID) -> Double {
            Double(video.unsigned(one) ?? 0) + Double(video.unsigned(other) ?? 0)
        }
        self.init(
            width: Double(size.width) - cropped(.pixelCropLeft, .pixelCropRight),
            height: Double(size.height) - cropped(.pixelCropTop, .pixelCropBottom), of: size)
    }
}
