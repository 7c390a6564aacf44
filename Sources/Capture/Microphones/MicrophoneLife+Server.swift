import GStreamer
import PulseAudio

/// What the sound server does with the microphone that is recorded: it ends and is there again, mutes it, gives it another origin, or says
/// nothing.
extension MicrophoneLife {
    /// The connection has ended, and streams end with it.
    mutating func disconnect(_ error: PulseError) {
        failure = error
        (current, next) = (nil, nil)
    }

    /// There is another connection.
    mutating func reconnect(_ now: MediaTime) {
        guard failure != nil, mayReturn else { return }
        // Until a stream flows again it is lost as it was.
        lost = loss(at: now).map { .certain($0) }
        (failure, snapshot, freshFrom, refused) = (nil, nil, 0, nil)
    }

    /// What has become of the microphone that is recorded.
    mutating func changes(_ now: MediaTime) -> [Action] {
        guard let current, let snapshot, let source = snapshot.source(named: current.source) else { return [] }
        var actions: [Action] = []
        volume.see(MicrophoneVolume(source), of: source.name, at: now)
        let isSilenced = source.isMuted || snapshot.outputs.contains { $0.index == current.index && $0.isMuted }
        if isSilenced != isMuted {
            isMuted = isSilenced
            actions.append(.tell(isSilenced ? Self.muted(name) : "\(name) is no longer muted."))
        }
        guard let origin = snapshot.origin(of: source) else { return actions }
        defer { self.current?.origin = origin.index }
        guard let before = current.origin, before != origin.index else { return actions }
        guard !wanted.followsDefault else {
            return actions + [.tell("\(name) now records from \(origin.description).")]
        }
        self.current = nil
        lost = .certain("it now records from \(origin.description)")
        // Nor is it taken up again: its name promises nothing any more.
        freshFrom = .max
        return actions + [.close(current.key)]
    }

    /// A server that says nothing is told of, but only when a second look confirms it: this process may have been held up.
    mutating func silence(_ now: MediaTime) -> [Action] {
        guard let current, !current.isSuspended, silentSince == nil else { return [] }
        let quiet = now - (current.lastSamples ?? current.opened)
        guard quiet > (current.lastSamples == nil ? Self.firstSilenceWarning : Self.silenceWarning) else { return [] }
        guard isSuspect else {
            isSuspect = true
            return []
        }
        silentSince = now - quiet
        return [.tell(Self.silent(name))]
    }
}
