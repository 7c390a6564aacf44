import GStreamer
import PulseAudio

/// Decides which source of a sound server is recorded, and what is told of it. Pure: facts in, actions out.
///
/// A chosen microphone is recorded or nothing is; it is taken up again when it comes back. The default may be followed by
/// another: then the old one is recorded until the new one flows, so that little is missing.
struct MicrophoneLife: Sendable {
    /// One stream, by a number that no other gets.
    typealias Key = Int

    enum Fact: Sendable {
        case snapshot(PulseSnapshot)
        /// The stream exists in the server, under this number.
        case ready(Key, index: UInt32?)
        case samples(Key)
        case suspended(Key, Bool)
        /// It could not be made, or has ended; serial numbers from this one on are later.
        case ended(Key, PulseError, fresh: Int)
        /// The connection has ended.
        case failed(PulseError)
        /// There is another one, whose snapshots count from the first one on.
        case connected
        /// Nothing has happened for a while.
        case time
    }

    enum Action: Sendable, Equatable {
        case open(Key, source: String)
        case close(Key)
        /// A whole sentence.
        case tell(String)
    }

    struct Stream {
        let key: Key
        let source: String
        let name: String
        /// The server's number for the stream.
        var index: UInt32?
        let opened: MediaTime
        var lastSamples: MediaTime?
        var isSuspended = false
        /// The number of the source that the source is made from, if it is.
        var origin: UInt32?
    }

    /// Nothing is recorded any more; but until a moment something may follow, unless the server itself says otherwise.
    struct Loss {
        let words: String
        let since: MediaTime
        var until: MediaTime

        static func certain(_ words: String) -> Loss { Loss(words: words, since: .min / 2, until: .min / 2) }
    }

    let wanted: ServerMicrophone
    /// What is recorded, and what is to take its place as soon as it flows.
    var (current, next): (Stream?, Stream?)
    var lastKey = 0
    var snapshot: PulseSnapshot?
    /// Older snapshots do not know yet what is gone.
    var freshFrom = 0
    var refused: (source: String, time: MediaTime)?
    var silentSince: MediaTime?
    var (isSuspect, isMuted, hasOpened) = (false, false, false)
    var volume = VolumeWatch()
    var lost: Loss?
    var failure: PulseError?
    /// What is recorded, or was last.
    var name: String

    /// A server that gives nothing for this long is told of; a machine that is busy is late by less.
    static let silenceWarning: MediaTime = 700 * .millisecond
    /// The same for a stream that has given nothing yet: some devices take their time.
    static let firstSilenceWarning: MediaTime = 2 * .second
    /// And for this long, the microphone counts as lost: the server hangs.
    static let lossTimeout: MediaTime = 30 * .second
    /// How long the server is waited for to say what has become of a source whose stream has ended, and to make a stream.
    /// One that is alive answers at once, or when a busy machine lets it.
    static let serverTimeout: MediaTime = 3 * .second
    /// How long it is waited for to name the default that follows one that is gone. PipeWire does so after the removal, and on
    /// a busy machine a while after; then any other is taken.
    static let successorTimeout: MediaTime = .second
    /// A stream that has not been made for so long, while nothing is recorded, is asked for again: pipewire-pulse (0.3.65) sometimes
    /// forgets one that is asked for just when another device goes.
    static let retryInterval: MediaTime = 1500 * .millisecond
    /// However often it is asked for, after so long there is none.
    static let longestRetry: MediaTime = 8 * .second
    /// A stream that was refused or cut off at once is not asked for again before.
    static let refusalPause: MediaTime = .second

    init(_ wanted: ServerMicrophone) { (self.wanted, name) = (wanted, wanted.name) }

    /// Whether a server that is gone is worth waiting for: its microphone was recorded.
    var mayReturn: Bool { hasOpened && freshFrom != .max }

    /// Whether a stream is there.
    var isOpen: Bool { current != nil }

    /// Whether a stream's samples are what is recorded.
    func records(_ key: Key) -> Bool { current?.key == key }

    /// How loud the server has what is recorded.
    var serverVolume: MicrophoneVolume? {
        current.flatMap { snapshot?.source(named: $0.source) }.map { MicrophoneVolume($0) }
    }

    /// Why nothing comes any more, in a few words.
    func loss(at now: MediaTime) -> String? {
        if let failure { return failure.isUnreachable ? "its sound server has ended" : failure.description }
        if let lost { return now > lost.until ? lost.words : nil }
        guard let current, !current.isSuspended, now - (current.lastSamples ?? current.opened) > Self.lossTimeout else {
            return nil
        }
        return "its sound server has delivered nothing for \(Self.lossTimeout.quotient(dividingBy: .second)) seconds"
    }

    /// Whether nothing is to be expected just now.
    var isInterrupted: Bool { hasOpened && (current == nil || current?.isSuspended == true || silentSince != nil) }

    mutating func see(_ fact: Fact, at now: MediaTime) -> [Action] {
        switch fact {
        case .snapshot(let new):
            guard new.serial >= freshFrom else { return [] }
            snapshot = new
            return changes(now) + choice(now)
        case .ready(let key, let index):
            guard next?.key == key else { return [] }
            next?.index = index
            // Where nothing else is recorded there is nothing to wait for.
            return current == nil ? takeOver(now) : []
        case .samples(let key):
            if current?.key == key { return came(now) }
            guard next?.key == key else { return [] }
            return takeOver(now) + came(now)
        case .suspended(let key, let isSuspended):
            if next?.key == key { next?.isSuspended = isSuspended }
            guard current?.key == key, current?.isSuspended != isSuspended else { return [] }
            current?.isSuspended = isSuspended
            // From now on the silence counts anew.
            current?.lastSamples = now
            return [.tell(isSuspended ? Self.suspended(name) : "\(name) is no longer suspended.")]
        case .ended(let key, let error, let fresh):
            ended(key, error, fresh, now)
            return []
        case .failed(let error):
            disconnect(error)
            return []
        case .connected:
            reconnect(now)
            return []
        case .time:
            let new = volume.settled(at: now).map {
                Action.tell("The volume of \(name) is now \($0.words) in the sound settings.")
            }
            return [new].compactMap(\.self) + silence(now) + retrial(now) + choice(now)
        }
    }

    private mutating func came(_ now: MediaTime) -> [Action] {
        current?.lastSamples = now
        isSuspect = false
        guard let since = silentSince else { return [] }
        silentSince = nil
        let tenths = (now - since).quotient(dividingBy: 100 * .millisecond)
        return [.tell("\(name) is back after a silence of \(tenths / 10).\(tenths % 10) seconds.")]
    }
}
