import SystemPackage

/// Where a transport stream's clock values (PCR) lie, and how they and its packets' times follow each other (ISO/IEC 13818-1, 2.4.3).
struct TransportClockScan {
    /// What tells how the clock comes, in bytes.
    static let head: UInt64 = 8 << 20
    /// How much is read at most before the file is left as it is, in bytes.
    private static let most: UInt64 = 2 << 30
    /// What tsdemux takes for one stretch, less what it rounds, in ticks of 90 kHz.
    private static let longest = 40_000
    /// A value that lies farther from the one before it, or before it, begins another count, which no single value serves.
    private static let jump = 10 * 90_000
    /// Of 33 bits.
    private static let wrap = 1 << 33
    /// How much earlier than the first packet the first value is made.
    private static let lead = 9000

    private let file: FileDescriptor
    /// Of a packet, with what a camera or a broadcaster puts around it.
    let length: Int
    /// Where the first packet begins in the file.
    let start: UInt64
    private var place: UInt64
    /// The last value of each stream, by its number.
    private var last: [Int: Int] = [:]
    private var first: (place: UInt64, value: Int)?
    private var second: Int?
    /// When each packet begins that came so far, as long as there was no clock.
    private var waiting: [Int] = []
    /// Where the flags lie of all values but the first of each stream, in order.
    private(set) var flags: [UInt64] = []
    /// By how much packets are decoded before the first value, in ticks.
    private(set) var early = 0
    private var hasGap = false

    /// nil for what is no transport stream. Blocks.
    init?(_ file: FileDescriptor) {
        var block = [UInt8](repeating: 0, count: TransportPackets.searched + 1024)
        guard let count = try? block.withUnsafeMutableBytes({ try file.read(fromAbsoluteOffset: 0, into: $0) }),
            let (start, length) = TransportPackets.first(in: Array(block[..<count]))
        else { return nil }
        (self.file, self.length, self.start, place) = (file, length, UInt64(start), UInt64(start))
    }

    /// Whether values lie farther apart than tsdemux takes, or would if the first one were earlier.
    var isSparse: Bool {
        hasGap
            || early > 0 && second.map { distance($0, (first?.value ?? 0) - early - Self.lead) > Self.longest } ?? false
    }

    /// Whether the first value comes after packets that are decoded before it: tsdemux has given them no time by then.
    private var isLate: Bool { early > Self.longest && last.count == 1 }

    /// The first value, made earlier than all packets; nil where it is, where it comes too late for that, and where there are several clocks.
    var earlierFirst: (place: UInt64, bytes: [UInt8])? {
        guard let first, early > 0, last.count == 1, !isLate else { return nil }
        return (first.place, Self.bytes(of: first.value - early - Self.lead))
    }

    /// In which packets the only clock is; nil where there are none or several.
    var packets: Int? { last.count == 1 ? last.keys.first : nil }

    /// Where the flag lies of a first value that comes too late, and one that is earlier than all packets; nil where it does not.
    var lateFirst: (flag: UInt64, bytes: [UInt8])? {
        guard isLate, let first else { return nil }
        return (first.place - 1, Self.bytes(of: first.value - early - Self.lead))
    }

    /// A value that is earlier than all packets, where there is no clock.
    var missingFirst: [UInt8]? {
        guard first == nil, let some = waiting.first else { return nil }
        // The first packet need not be the earliest one.
        let early = waiting.map { distance(some, $0) }.filter { $0 < Self.jump }.max() ?? 0
        return Self.bytes(of: some - early - Self.lead)
    }

    private static func bytes(of value: Int) -> [UInt8] {
        let value = (value + wrap) % wrap
        // The last bit shares its byte with reserved ones; the extension is 0.
        return [25, 17, 9, 1].map { UInt8(value >> $0 & 0xFF) } + [UInt8(value & 1) << 7 | 0x7E, 0]
    }

    /// - Parameter end: in the file.
    /// - Returns: whether the clock runs on without a jump so far.
    mutating func read(to end: UInt64) -> Bool {
        var block = [UInt8](repeating: 0, count: length * 4096)
        while place < end {
            guard place < Self.most,
                let count = try? block.withUnsafeMutableBytes({
                    try file.read(fromAbsoluteOffset: Int64(place), into: $0)
                })
            else { return false }
            let isRegular = block.withUnsafeBytes { bytes in
                for start in stride(from: 0, through: count - TransportPacket.size, by: length)
                where bytes[start] == TransportPacket.synchronisation {
                    let packet = TransportPacket(.init(rebasing: bytes[start..<start + TransportPacket.size]))
                    guard take(packet, at: place + UInt64(start)) else { return false }
                }
                return true
            }
            guard isRegular else { return false }
            place += UInt64(count / length * length)
            if count < block.count { break }
        }
        return true
    }

    private mutating func take(_ packet: TransportPacket, at place: UInt64) -> Bool {
        let number = packet.number
        if let value = packet.clock {
            if let before = last[number] {
                let passed = distance(value, before)
                guard passed < Self.jump else { return false }
                hasGap = hasGap || passed > Self.longest
                second = second ?? value
                flags.append(place + 5)
            } else if first == nil {
                first = (place + 6, value)
                waiting.forEach { compare($0) }
                waiting = []
            }
            last[number] = value
        }
        if let time = packet.time {
            if first == nil { waiting.append(time) } else { compare(time) }
        }
        return true
    }

    private mutating func compare(_ time: Int) {
        guard let first else { return }
        let distance = distance(first.value, time)
        if distance < Self.jump { early = max(early, distance) }
    }

    /// From one value to a later one.
    private func distance(_ value: Int, _ before: Int) -> Int { (value - before + 2 * Self.wrap) % Self.wrap }
}
