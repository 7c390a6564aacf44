import MediaTypes

/// Decides which changes of a microphone's volume are told: where a slider comes to rest, not the way there. Pure.
struct VolumeWatch: Sendable {
    private var source: String?
    /// What is known to whoever listens, and what it is since when.
    private var told: MicrophoneVolume?
    private var latest: (volume: MicrophoneVolume, since: MediaTime)?

    /// How long a slider rests.
    static let rest: MediaTime = 500 * .millisecond

    /// - Parameter source: of another one nothing has changed.
    mutating func see(_ volume: MicrophoneVolume, of source: String, at now: MediaTime) {
        if source != self.source { (self.source, told, latest) = (source, volume, nil) }
        guard volume != latest?.volume ?? told else { return }
        latest = (volume, now)
    }

    /// What is to be told now. That it is muted, or no longer, is told by others.
    mutating func settled(at now: MediaTime) -> MicrophoneVolume? {
        guard let (volume, since) = latest, now - since >= Self.rest else { return nil }
        latest = nil
        defer { told = volume }
        return volume.percent == told?.percent || volume.isMuted ? nil : volume
    }
}
