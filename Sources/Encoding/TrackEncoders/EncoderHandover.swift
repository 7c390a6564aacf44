/// Keeps the packets of encoders in order that follow each other in one track: the frames of the second come after those of the
/// first, but its packets may come before, as both work at the same time. Pure.
struct EncoderHandover<Packet: Sendable>: Sendable {
    /// What the thread of an encoder that has ended does next.
    enum Next: Sendable {
        /// Hands these on, and asks again.
        case packets([Packet])
        case nothing
        /// Ends the track.
        case end
    }

    /// The encoder whose packets go on, by its number, and the newest one.
    private var (current, newest) = (0, 0)
    /// Of the newest one, while the other still hands something out.
    private var waiting: [Packet] = []
    private var hasNewestEnded = false

    /// Whether packets of the frames before the exchange have not gone on yet.
    var isUnderWay: Bool { current != newest }

    /// The number of the encoder that follows the newest one; the first has 0.
    var next: Int { newest + 1 }

    /// That one gets the frames from now on. Not while an exchange is under way.
    mutating func begin() { newest += 1 }

    /// - Returns: whether the packet goes on now, on the thread of this encoder; else it waits here.
    mutating func take(_ packet: Packet, of encoder: Int) -> Bool {
        if encoder != current { waiting.append(packet) }
        return encoder == current
    }

    /// The end of an encoder.
    mutating func end(of encoder: Int) -> Next {
        guard encoder != current else { return following() }
        hasNewestEnded = true
        return .nothing
    }

    /// What follows once an encoder that has ended has handed on what was to be: its thread does so until nothing waits, so that no two
    /// threads do at a time.
    mutating func following() -> Next {
        guard waiting.isEmpty else {
            defer { waiting = [] }
            return .packets(waiting)
        }
        guard current != newest else { return .end }
        current = newest
        return hasNewestEnded ? .end : .nothing
    }
}
