package import MediaTypes

/// The last packets of a recording's tracks, in whole GOPs. Pure.
///
/// The leading track, video or else the first audio, has the groups: each begins with a key frame, and what the other tracks present
/// from then on belongs to it. The oldest group goes when those behind it last long enough or when all is too much for the memory;
/// so what is kept can be decoded from its first packet, and is never shorter than was asked for unless the memory is.
package struct PacketRing<Packet: Sendable>: Sendable {
    package struct Entry: Sendable {
        package var packet: Packet
        /// 0 is the leading one.
        package var track: Int
        /// Presentation timestamp in the recording; `nil` where the packet has none.
        package var time: MediaTime?
        package var duration: MediaTime
        package var isKeyFrame: Bool
        package var bytes: Int

        package init(
            _ packet: Packet, track: Int, time: MediaTime?, duration: MediaTime, isKeyFrame: Bool, bytes: Int
        ) {
            (self.packet, self.track, self.time, self.duration) = (packet, track, time, duration)
            (self.isKeyFrame, self.bytes) = (isKeyFrame, bytes)
        }

        fileprivate var end: MediaTime? { time.map { $0 + duration } }
    }

    /// Packets in the order in which they came, the first of the leading track a key frame.
    package struct Span: Sendable {
        /// Presentation timestamp of that key frame: none of the packets is presented before.
        package var begin: MediaTime
        package var entries: [Entry]
    }

    private struct Group: Sendable {
        var begin: MediaTime
        /// Of its key frame.
        var number: Int
    }

    /// How much is kept at least.
    let duration: MediaTime
    /// Bytes that are kept at most, with ``overhead`` for each packet.
    let limit: Int
    /// Of each track, with a number that rises from packet to packet of all.
    private var tracks: [[(number: Int, entry: Entry)]]
    private var groups: [Group] = []
    private var nextNumber = 0
    /// Times from which on nothing goes because of its age.
    private var held: [MediaTime] = []
    /// Where each track's packets end.
    private var ends: [MediaTime]
    /// What is in memory.
    private(set) var bytes = 0
    /// Whether something had to go because of its bytes that was not old enough.
    private(set) var isCut = false

    /// What a packet takes beside its bytes: GStreamer's buffer, sample and segment.
    static var overhead: Int { 1024 }

    package init(trackCount: Int, duration: MediaTime, limit: Int) {
        (self.duration, self.limit) = (duration, limit)
        tracks = Array(repeating: [], count: trackCount)
        ends = Array(repeating: .zero, count: trackCount)
    }

    /// How much of the leading track is kept.
    var span: MediaTime { groups.first.map { max(.zero, ends[0] - $0.begin) } ?? .zero }
    /// The time that every track has come to.
    var end: MediaTime { ends.min() ?? .zero }

    package mutating func append(_ entry: Entry) {
        defer { nextNumber += 1 }
        if entry.track == 0 {
            if entry.isKeyFrame, let time = entry.time {
                groups.append(Group(begin: time, number: nextNumber))
            } else if groups.isEmpty {
                // The rest of a group whose key frame is gone.
                return
            }
        }
        if let end = entry.end { ends[entry.track] = max(ends[entry.track], end) }
        tracks[entry.track].append((nextNumber, entry))
        bytes += entry.bytes + Self.overhead
        evict()
    }

    /// What a movie consists of that begins at a time or before, as far as there is anything; `nil` where nothing is kept.
    ///
    /// - Parameter end: where it ends, with the leading track's last packet that is decoded for what lies before; all there is if left out.
    package func packets(from time: MediaTime, until end: MediaTime? = nil) -> Span? {
        guard let group = groups.last(where: { $0.begin <= time }) ?? groups.first else { return nil }
        var leading = tracks[0].filter { $0.number >= group.number }
        if let end, let last = leading.lastIndex(where: { ($0.entry.time ?? .zero) < end }) {
            leading.removeSubrange((last + 1)...)
        }
        let limit = end == nil ? .longest : leading.compactMap(\.entry.end).max() ?? .longest
        let others = tracks.dropFirst().joined().filter { ($0.entry.time ?? .zero) < limit }
        // What is presented before the key frame and decoded after it needs frames before it.
        let chosen = (leading + others).filter { ($0.entry.time ?? group.begin) >= group.begin }
        return Span(begin: group.begin, entries: chosen.sorted { $0.number < $1.number }.map(\.entry))
    }

    /// Lets nothing of a time and later go because of its age, until that is released: who wants it has to open a file first.
    package mutating func hold(from time: MediaTime) { held.append(time) }

    package mutating func release(_ time: MediaTime) {
        if let index = held.firstIndex(of: time) { held.remove(at: index) }
        evict()
    }

    private mutating func evict() {
        while groups.count > 1, ends[0] - groups[1].begin >= duration, held.allSatisfy({ groups[1].begin <= $0 }) {
            removeFirstGroup()
        }
        while bytes > limit, groups.count > 1 {
            isCut = true
            removeFirstGroup()
        }
        // One group alone is too much, or the leading track stands still: the next key frame begins anew.
        if bytes > limit {
            isCut = true
            removeAll()
        }
    }

    /// Lets go of all that is kept.
    mutating func removeAll() {
        groups = []
        for track in tracks.indices { tracks[track] = [] }
        bytes = 0
    }

    private mutating func removeFirstGroup() {
        groups.removeFirst()
        guard let first = groups.first else { return }
        for track in tracks.indices {
            let gone = tracks[track].prefix { number, entry in
                track == 0 ? number < first.number : (entry.time ?? .zero) < first.begin
            }
            bytes -= gone.reduce(0) { $0 + $1.entry.bytes + Self.overhead }
            tracks[track].removeFirst(gone.count)
        }
    }
}
