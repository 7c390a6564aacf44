extension MovieSettings {
    /// Whether frames are encoded with more chroma than 4:2:0, where they have it: ProRes has.
    package var keepsChroma: Bool { videoCodec == .prores || videoCodec == nil && profile != nil }
}
