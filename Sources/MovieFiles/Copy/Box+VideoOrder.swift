extension Box {
    /// Of a `moov`, puts the first video track that is enabled before those that are not: most players show the first, whatever is enabled.
    mutating func putEnabledVideoFirst() {
        let videos = (children ?? []).enumerated().filter { $0.element.isVideoWithSamples }
        guard let first = videos.first, !first.element.isEnabledTrack,
            let chosen = videos.first(where: { $0.element.isEnabledTrack })
        else { return }
        children?.remove(at: chosen.offset)
        children?.insert(chosen.element, at: first.offset)
    }

    private var isVideoWithSamples: Bool {
        guard type == "trak", let mdia = self["mdia"], (try? mdia["hdlr"]?.handlerType()) == "vide",
            let stbl = mdia.descendant("minf", "stbl")
        else { return false }
        return (try? TrackStatistics(stbl).sampleCount) ?? 0 > 0
    }

    /// By the flags of its header (ISO/IEC 14496-12, 8.3.2).
    private var isEnabledTrack: Bool { self["tkhd"]?.payload.dropFirst(3).first.map { $0 & 1 != 0 } ?? true }
}
