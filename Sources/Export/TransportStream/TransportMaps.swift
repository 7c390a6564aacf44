/// What all program maps of a transport stream name, from its first packet to its last: streams may be added on the way.
struct TransportMaps: Sendable, Hashable {
    /// A stream that a map names.
    struct Stream: Sendable, Hashable {
        /// The program's.
        var program: Int
        var entry: TransportSection.Stream
        /// Whether the program's first map does not name it.
        var isAdded = false
        /// Whether it takes the place of another one with the same packets, of another codec.
        var isReplacement = false
        /// When what came before the map is decoded that names it first, in ticks of 90 kHz.
        var named: Int?
    }

    /// What streams are that maps call by numbers with which GStreamer (1.22) finds nothing in them, by their packets' number: AAC that is called
    /// MPEG audio, and DTS as Blu-ray discs call it, elsewhere.
    private(set) var misnamed: [Int: UInt8] = [:]
    /// How many packets of streams that may be others than they are called begin as those do, by their number.
    private var beginnings: [Int: Beginning] = [:]

    private struct Beginning: Sendable, Hashable {
        var type: UInt8
        var count = 0
    }

    /// Of two such packets, what looks like the head of a frame is one.
    private static let certainty = 2

    private struct Program: Sendable, Hashable {
        /// Of its maps' packets.
        var number: Int
        var first: TransportSection
        var last: TransportSection
        /// Where the packets of its maps begin in the file, in order.
        var places: [UInt64] = []
        /// Whether one map names other streams than another.
        var changes = false
        /// Whether a map of it comes in other packets.
        var moves = false
    }

    /// In the order in which they are named.
    private(set) var streams: [Stream] = []
    private var programs: [Int: Program] = [:]
    private var reader = TransportSectionReader()
    /// Where packets of maps lie of which no table has come yet.
    private var begun: [Int: [UInt64]] = [:]

    /// Whether a packet may be part of a table that is read.
    func reads(_ number: Int) -> Bool { reader.reads(number) }

    /// - Parameters:
    ///   - place: where the packet begins in the file.
    ///   - time: when what came before it is decoded, in ticks of 90 kHz.
    mutating func take(_ packet: TransportPacket, at place: UInt64, _ time: Int?) {
        let number = packet.number
        if number != 0 { begun[number, default: []].append(place) }
        guard let section = reader.take(packet) else { return }
        if section.isAssociation {
            if section.isWhole { reader.follow(section.programMaps) }
            return
        }
        let places = begun.removeValue(forKey: number) ?? []
        let program = section.identifier
        guard programs[program] != nil else {
            guard section.isWhole else { return }
            programs[program] = Program(number: number, first: section, last: section, places: places)
            streams += section.streams.map { Stream(program: program, entry: $0) }
            for stream in section.streams {
                if let type = section.otherType(of: stream) { beginnings[stream.number] = Beginning(type: type) }
            }
            return
        }
        // In place: there are ten a second.
        if programs[program]?.number == number {
            programs[program]?.places += places
        } else {
            programs[program]?.moves = true
        }
        guard section != programs[program]?.last, section.isWhole else { return }
        programs[program]?.last = section
        let named = section.streams
        if Set(named.map(\.number)) != Set(programs[program]?.first.streams.map(\.number) ?? []) {
            programs[program]?.changes = true
        }
        for entry in named { add(entry, to: program, time) }
    }

    private mutating func add(_ entry: TransportSection.Stream, to program: Int, _ time: Int?) {
        let before = streams.filter { $0.program == program && $0.entry.number == entry.number }
        guard !before.contains(where: { $0.entry.codecTags == entry.codecTags }) else { return }
        streams.append(
            Stream(program: program, entry: entry, isAdded: true, isReplacement: !before.isEmpty, named: time))
    }

    /// Looks at what a stream begins with, as often as needed.
    mutating func look(at packet: TransportPacket) {
        let number = packet.number
        guard let type = beginnings[number]?.type, packet.beginsPacketized else { return }
        guard type == TransportSection.Stream.aac ? packet.beginsAAC : packet.beginsDTS else {
            return beginnings[number] = nil
        }
        beginnings[number]?.count += 1
        guard beginnings[number]?.count == Self.certainty else { return }
        misnamed[number] = type
        beginnings[number] = nil
    }

    /// A map that names all streams of a program that any of its maps names, as what they are.
    struct Union: Sendable, Hashable {
        /// Of the packets of the program's maps.
        var number: Int
        var section: TransportSection
        /// Where all of these packets begin in the file, in order.
        var places: [UInt64]
    }

    /// What no demuxer takes for a stream (ISO/IEC 13818-1, table 2-34: for the user).
    private static let nothing: UInt8 = 0xFE

    /// Of programs that change or misname streams, and of which it can be made.
    ///
    /// - Parameter absent: of whose packets there is none, by their number. Of video of which nothing comes, its parser (1.22) would make an error.
    func unions(without absent: Set<Int>) -> [Union] {
        let names = misnamed.merging(absent.map { ($0, Self.nothing) }) { _, absent in absent }
        return programs.keys.sorted().compactMap { key in
            let own = streams.filter { $0.program == key }
            let isMisnamed = own.contains { names[$0.entry.number] != nil }
            guard let program = programs[key], program.changes || isMisnamed, !program.moves else { return nil }
            let sharesPackets = programs.contains { $0.key != key && $0.value.number == program.number }
            guard !sharesPackets, !own.contains(where: \.isReplacement),
                let section = program.first.adding(own.filter(\.isAdded).map(\.entry), calling: names)
            else { return nil }
            return Union(number: program.number, section: section, places: program.places)
        }
    }
}
