/// Follows the counters of a transport stream's packets, which tell where some are missing (ISO/IEC 13818-1, 2.4.3.3).
struct ContinuityCheck: Sendable, Hashable {
    /// What is known of the packets of one number.
    struct Stream: Sendable, Hashable {
        /// How many packets have a payload.
        var packets = 0
        /// How many frames or stretches of audio begin that have a time.
        var units = 0
        /// When the first of them is decoded, in ticks of 90 kHz.
        var first: Int?
        /// How many places there are at which packets are missing.
        var gaps = 0
        /// When what has the first of these is decoded, in ticks.
        var firstGap: Int?

        /// Whether its counters tell anything: some multiplexers do not keep them.
        var isCounted: Bool { gaps * 4 < packets }
    }

    /// From where on the packets of a number count less than they say, so that each follows the one before it.
    struct Shift: Sendable, Hashable {
        /// In the file.
        var place: UInt64
        /// Of its packets.
        var number: Int
        /// Of 16.
        var amount: UInt8
    }

    private struct State: Sendable, Hashable {
        /// The last one's; none has more than 15.
        var counter: UInt8 = .max
        var tail: UInt64 = 0
        var amount: UInt8 = 0
        var time: Int?
        /// Which of several files that were put together it was in when it began again.
        var part = 0
    }

    /// A multiplexer that keeps no counters would have one for each packet, of gigabytes: nothing is mended of more.
    static let mostShifts = 1 << 16

    /// When the file's first packet with a time is decoded, in ticks of 90 kHz.
    private(set) var first: Int?
    /// When the latest one is.
    private(set) var latest: Int?
    /// By their packets' number.
    private(set) var streams: [Int: Stream] = [:]
    /// In order.
    private(set) var shifts: [Shift] = []
    private var states = [State](repeating: State(), count: TransportPacket.numbers)
    private var counts = [Stream](repeating: Stream(), count: TransportPacket.numbers)
    /// How often another file began, where this one was put together of several.
    private var part = 0
    /// The last association's.
    private var association: UInt8 = .max

    /// - Parameter place: where the packet begins in the file.
    mutating func take(_ packet: TransportPacket, at place: UInt64) {
        let number = packet.number
        guard packet.isCounted, number != TransportPacket.padding else { return }
        let (counter, tail) = (packet.counter, packet.tail)
        let missing = (counter &- states[number].counter &- 1) & 0x0F
        let isFirst = states[number].counter == .max
        if number == 0 { association = counter }
        // It may be sent twice.
        if !isFirst, missing == 15, tail == states[number].tail { return }
        (states[number].counter, states[number].tail) = (counter, tail)
        guard packet.payload != nil else {
            // It was counted, and demuxers, which find nothing in it, do not.
            if !isFirst, missing == 0 { shift(number, by: 1, from: place) }
            return
        }
        counts[number].packets += 1
        if let time = packet.time {
            counts[number].units += 1
            counts[number].first = counts[number].first ?? time
            (first, latest) = (first ?? time, time)
            states[number].time = time
        }
        if !isFirst, missing != 0 {
            shift(number, by: missing, from: place)
            if !beginsAgain(packet), !packet.isDiscontinuous {
                counts[number].gaps += 1
                counts[number].firstGap = counts[number].firstGap ?? states[number].time
            }
        }
    }

    /// Whether another file begins here that this one was put together of: all of its counters begin at 0, the association's first.
    private mutating func beginsAgain(_ packet: TransportPacket) -> Bool {
        let number = packet.number
        guard packet.counter == 0, packet.beginsUnit else { return false }
        if states[number].part == part, association == 0 { part += 1 }
        guard states[number].part < part else { return false }
        states[number].part = part
        return true
    }

    private mutating func shift(_ number: Int, by missing: UInt8, from place: UInt64) {
        states[number].amount = (states[number].amount + missing) & 0x0F
        if shifts.count <= Self.mostShifts {
            shifts.append(Shift(place: place, number: number, amount: states[number].amount))
        }
    }

    /// Once all packets have come.
    mutating func end() {
        for number in counts.indices where counts[number].packets > 0 { streams[number] = counts[number] }
        (states, counts) = ([], [])
        if shifts.count > Self.mostShifts { shifts = [] }
    }
}
