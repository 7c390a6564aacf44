/// One packet of a transport stream (ISO/IEC 13818-1, 2.4.3.2), as it lies in memory.
struct TransportPacket {
    /// In bytes, without what a camera or a broadcaster puts around it.
    static let size = 188
    static let synchronisation: UInt8 = 0x47
    /// Of what only fills up.
    static let padding = 0x1FFF
    /// How many numbers there are.
    static let numbers = 0x2000

    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: 188 of them.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Of the stream or the table that it is a part of (PID).
    var number: Int { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }
    /// Whether who received it knew that it is damaged; demuxers leave it out.
    var isDamaged: Bool { bytes[1] & 0x80 != 0 }
    /// Whether a table or what has a time begins in it.
    var beginsUnit: Bool { bytes[1] & 0x40 != 0 }
    /// Counts those of its number that have a payload, in four bits.
    var counter: UInt8 { bytes[3] & 0x0F }
    /// Whether it says that it has a payload, which may be empty.
    var isCounted: Bool { bytes[3] & 0x10 != 0 }
    /// Whether it says that its counter goes on from anywhere.
    var isDiscontinuous: Bool { bytes[3] & 0x20 != 0 && bytes[4] > 0 && bytes[5] & 0x80 != 0 }
    /// Its end, by which a packet that was sent twice is known.
    var tail: UInt64 { bytes.loadUnaligned(fromByteOffset: Self.size - 8, as: UInt64.self) }

    /// Where what it carries begins in it; nil where it carries nothing.
    var payload: Int? {
        guard isCounted else { return nil }
        let place = 4 + (bytes[3] & 0x20 != 0 ? 1 + Int(bytes[4]) : 0)
        return place < Self.size ? place : nil
    }

    /// What it carries.
    var content: UnsafeRawBufferPointer.SubSequence { payload.map { bytes[$0..<Self.size] } ?? bytes[0..<0] }

    /// Whether a packet of a stream begins in it (PES), and no table.
    var beginsPacketized: Bool { beginsUnit && content.prefix(3).elementsEqual([0, 0, 1]) }

    /// Whether what begins in it is DTS (ETSI TS 102 114, 5.3.1).
    var beginsDTS: Bool {
        guard beginsPacketized, let payload, payload + 9 <= Self.size else { return false }
        let place = payload + 9 + Int(bytes[payload + 8])
        return place + 4 <= Self.size && bytes[place..<place + 4].elementsEqual([0x7F, 0xFE, 0x80, 0x01])
    }

    /// Whether what begins in it is AAC with a head before each frame (ISO/IEC 14496-3, 1.A.2.2.1).
    var beginsAAC: Bool {
        guard beginsPacketized, let payload, payload + 9 <= Self.size else { return false }
        let place = payload + 9 + Int(bytes[payload + 8])
        // The layer is 0, which no MPEG audio has, and there is such a rate.
        return place + 3 <= Self.size && bytes[place] == 0xFF && bytes[place + 1] & 0xF6 == 0xF0
            && bytes[place + 2] >> 2 & 0x0F < 13
    }

    /// The clock value that it has, in ticks of 90 kHz.
    var clock: Int? {
        guard bytes[3] & 0x20 != 0, bytes[4] >= 7, bytes[5] & 0x10 != 0 else { return nil }
        let high = bytes[6..<10].reduce(0) { $0 << 8 | Int($1) }
        return high << 1 | Int(bytes[10] >> 7)
    }

    /// When what begins in it is decoded, in ticks of 90 kHz.
    var time: Int? {
        guard beginsPacketized, let payload, payload + 19 <= Self.size, bytes[payload + 7] & 0x80 != 0 else {
            return nil
        }
        let place = payload + (bytes[payload + 7] & 0x40 != 0 ? 14 : 9)
        let field = bytes[place..<place + 5].map(Int.init)
        return (field[0] >> 1 & 7) << 30 | field[1] << 22 | (field[2] >> 1) << 15 | field[3] << 7 | field[4] >> 1
    }
}
