/// Muting while other devices are being opened, which may take seconds.
extension CaptureSession {
    /// Mutes or unmutes microphones: at once, also while the configuration is being changed, which then takes it over.
    ///
    /// - Parameter microphones: their places in ``configuration``; those that it lacks are left out.
    package func setMuted(_ isMuted: Bool, microphones: [Int]) {
        for place in microphones where configuration.microphones.indices.contains(place) {
            configuration.microphones[place].isMuted = isMuted
            mutedMeanwhile.insert(place)
        }
        var feeds = running?.audio ?? []
        for plan in configuration.microphones {
            guard let place = feeds.firstIndex(where: { $0.plan.opensLike(plan) }) else { continue }
            feeds.remove(at: place).setGain(of: plan)
        }
    }
}

extension CaptureSession.Configuration {
    /// Takes over which microphones are muted of what has been in force until now.
    ///
    /// - Parameter places: of those in the other configuration that were muted, or not any more, since this one was made of it.
    mutating func takeOverMutes(_ places: Set<Int>, of other: Self) {
        var left = Array(other.microphones.enumerated())
        for index in microphones.indices {
            guard let found = left.firstIndex(where: { $0.element.opensLike(microphones[index]) }) else { continue }
            let (place, plan) = left.remove(at: found)
            if places.contains(place) { microphones[index].isMuted = plan.isMuted }
        }
    }
}
