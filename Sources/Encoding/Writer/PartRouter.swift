import GStreamer

/// Decides to which of two files each packet goes, where one file follows the other while the encoders go on. Pure.
///
/// The leading track, video or else the first audio, changes over with its first key frame at or after the earliest time: its
/// encoder is asked for one just there. The others follow with their first packet from that time on; theirs wait while it is not known
/// whether they come before it. So each packet is in one file, in the order in which it came.
struct PartRouter<Packet: Sendable>: Sendable {
    enum File: Equatable, Sendable { case current, next }

    /// What is to be done, in order, on the thread of the track whose packet or end it was.
    enum Action: Sendable {
        case write(Packet, File)
        /// No packet of a track follows in a file.
        case end(Int, File)
        /// No packet of any track follows in the current file: the next one is the current one from now on.
        case complete
    }

    private struct Track: Sendable {
        var waiting: [(packet: Packet, time: MediaTime)] = []
        var hasChanged = false
        var hasEnded = false
    }

    private var tracks: [Track]
    private var earliest: MediaTime?
    /// Movie time at which the next file begins, once it is known.
    private(set) var boundary: MediaTime?
    /// How many next files have begun, and where the last of them did: also one that is the current one in the same moment, as all
    /// other tracks have ended.
    private(set) var begun = (count: 0, time: MediaTime.zero)

    /// - Parameter trackCount: the first is the leading one.
    init(trackCount: Int) { tracks = Array(repeating: Track(), count: trackCount) }

    /// Whether a next file is wanted, and not the current one yet.
    var isChanging: Bool { earliest != nil }

    /// Whether the next file begins with a key frame up to a time.
    func isDue(by time: MediaTime) -> Bool { earliest.map { $0 <= time } ?? false }

    /// Whether packets of a track wait until it is known where the next file begins.
    func isHeld(_ track: Int) -> Bool { isChanging && boundary == nil && !tracks[track].waiting.isEmpty }

    /// Goes over to a next file. False while the last change is under way, or where the leading track has ended.
    ///
    /// - Parameter earliest: movie time; no packet from then on may have come yet.
    mutating func change(notBefore earliest: MediaTime) -> Bool {
        guard !isChanging, tracks.first?.hasEnded == false else { return false }
        self.earliest = earliest
        return true
    }

    /// Takes a change back that no key frame has begun yet.
    mutating func cancel() -> Bool {
        guard isChanging, boundary == nil else { return false }
        earliest = nil
        return true
    }

    /// - Parameter time: the packet's presentation timestamp in the movie; `nil` where it has none.
    mutating func take(_ packet: Packet, of track: Int, time: MediaTime?, isKeyFrame: Bool) -> [Action] {
        var actions = release(track)
        guard let earliest else { return actions + [.write(packet, .current)] }
        if !tracks[track].hasChanged {
            guard let time, time >= earliest else { return actions + [.write(packet, .current)] }
            if track == 0 {
                guard isKeyFrame else {
                    // The border lies later: what of the others comes before need not wait, or the file would wait for it, and no
                    // further packet would come.
                    self.earliest = max(earliest, time)
                    return actions + [.write(packet, .current)]
                }
                actions += begin(at: time)
            }
            guard let boundary else {
                tracks[track].waiting.append((packet, time))
                return actions
            }
            guard time >= boundary else { return actions + [.write(packet, .current)] }
            actions += change(track)
        }
        return actions + [.write(packet, .next)] + completion()
    }

    /// The end of a track.
    mutating func end(_ track: Int) -> [Action] {
        // Without its key frame there is no next file.
        if track == 0, boundary == nil { earliest = nil }
        var actions = release(track)
        tracks[track].hasEnded = true
        guard boundary != nil else {
            // Nobody will ask any more for what waits, so it is not for the next file.
            actions += tracks[track].waiting.map { .write($0.packet, .current) }
            tracks[track].waiting = []
            return actions + [.end(track, .current)]
        }
        if !tracks[track].hasChanged { actions += change(track) }
        return actions + [.end(track, .next)] + completion()
    }

    /// The next file begins. Tracks that have ended have nothing for it.
    private mutating func begin(at time: MediaTime) -> [Action] {
        boundary = time
        begun = (begun.count + 1, time)
        var actions: [Action] = []
        for index in tracks.indices where tracks[index].hasEnded {
            tracks[index].hasChanged = true
            actions.append(.end(index, .next))
        }
        return actions
    }

    /// What has waited and need not any more.
    mutating func release(_ track: Int) -> [Action] {
        if boundary == nil, let earliest {
            let before = tracks[track].waiting.prefix { $0.time < earliest }
            tracks[track].waiting.removeFirst(before.count)
            return before.map { .write($0.packet, .current) }
        }
        let waiting = tracks[track].waiting
        tracks[track].waiting = []
        return waiting.flatMap { packet, time -> [Action] in
            guard let boundary, time >= boundary else { return [.write(packet, .current)] }
            return (tracks[track].hasChanged ? [] : change(track)) + [.write(packet, .next)]
        }
    }

    private mutating func change(_ track: Int) -> [Action] {
        tracks[track].hasChanged = true
        return [.end(track, .current)]
    }

    private mutating func completion() -> [Action] {
        guard tracks.allSatisfy({ $0.hasChanged && $0.waiting.isEmpty }) else { return [] }
        (earliest, boundary) = (nil, nil)
        for index in tracks.indices { tracks[index].hasChanged = false }
        return [.complete]
    }
}
