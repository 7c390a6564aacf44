import GStreamer
import PulseAudio

/// Which source is recorded, and which follows one that has ended.
extension MicrophoneLife {
    /// The next stream becomes the one that is recorded.
    mutating func takeOver(_ now: MediaTime) -> [Action] {
        guard let new = next else { return [] }
        var actions: [Action] = current.map { [.close($0.key)] } ?? []
        if hasOpened {
            actions.append(
                .tell(name == new.name ? "\(name) is back and is being recorded again." : Self.switched(new.name)))
        }
        (current, next, name) = (new, nil, new.name)
        (lost, silentSince, isSuspect, hasOpened) = (nil, nil, false, true)
        return actions + changes(now)
    }

    mutating func ended(_ key: Key, _ error: PulseError, _ fresh: Int, _ now: MediaTime) {
        freshFrom = max(freshFrom, fresh)
        let words = error.isKilled || error.isNotFound ? Self.gone : error.description
        if let new = next, new.key == key {
            (next, refused) = (nil, (new.source, now))
        } else if let old = current, old.key == key {
            current = nil
            if now - old.opened < Self.refusalPause { refused = (old.source, now) }
        } else {
            return
        }
        if current == nil, lost == nil { lost = loss(words, now) }
    }

    private func loss(_ words: String, _ now: MediaTime) -> Loss {
        Loss(
            words: words, since: now,
            until: now + (wanted.followsDefault ? Self.successorTimeout : .zero) + Self.serverTimeout)
    }

    /// Which source is to be recorded now.
    mutating func choice(_ now: MediaTime) -> [Action] {
        guard failure == nil, next == nil, let snapshot, snapshot.serial >= freshFrom else { return [] }
        guard let source = wanted.followsDefault ? successor(snapshot, now) : snapshot.source(named: wanted.source)
        else {
            // The server itself says that it is gone: nothing more to wait for.
            let isCertain = !wanted.followsDefault || !snapshot.sources.contains { !$0.isMonitor }
            guard current == nil else { return [] }
            lost = isCertain ? .certain(lost?.words ?? Self.gone) : lost ?? loss(Self.gone, now)
            return []
        }
        guard source.name != current?.source else { return [] }
        if let refused, refused.source == source.name, now - refused.time < Self.refusalPause { return [] }
        lastKey += 1
        next = Stream(
            key: lastKey, source: source.name,
            name: source.name == wanted.source ? wanted.name : source.description, opened: now)
        // What is not lost yet is not before this has had its time.
        if let lost, lost.until >= now {
            self.lost?.until = max(lost.until, min(now + Self.serverTimeout, lost.since + Self.longestRetry))
        }
        return [.open(lastKey, source: source.name)]
    }

    /// Gives a stream up that the server does not make.
    mutating func retrial(_ now: MediaTime) -> [Action] {
        guard current == nil, hasOpened, let new = next, now - new.opened > Self.retryInterval else { return [] }
        next = nil
        return [.close(new.key)]
    }

    /// The default microphone; while there is none, the present one, or the one that was the default when it was asked for.
    private func successor(_ snapshot: PulseSnapshot, _ now: MediaTime) -> PulseSource? {
        let present = current?.source ?? (hasOpened ? nil : wanted.source)
        if let found = snapshot.defaultMicrophone ?? present.flatMap(snapshot.source(named:)) { return found }
        // The server may name the next default only after it has taken the last one away.
        guard current == nil, let lost, now - lost.since >= Self.successorTimeout else { return nil }
        return snapshot.source(named: wanted.source) ?? snapshot.sources.first { !$0.isMonitor }
    }
}
