extension LightMetadata {
    /// Bytes of a first frame in which it may be told: before the frame itself stand its parameter sets and what its encoder says.
    static let headSize = 16_384

    /// What the frames tell of light by themselves: in their decoder's configuration, or in front of the first one.
    ///
    /// - Parameter head: the first bytes of the track's first frame.
    /// - Returns: nil where they tell nothing, and for codecs that have no word for it.
    init?(_ entry: SampleEntry, head: ArraySlice<UInt8>) {
        if let box = entry["hvcC"], box.payload.count > 22, let start = box.payload.dropFirst(21).first {
            self.init(hevc: box.payload.dropFirst(22), head, lengthSize: Int(start & 3) + 1)
        } else if let box = entry["avcC"], let start = box.payload.dropFirst(4).first {
            self.init(
                messages: Self.units(head, lengthSize: Int(start & 3) + 1).filter { $0.first.map { $0 & 0x1F } == 6 },
                header: 1)
        } else if let box = entry["av1C"] {
            // Behind the four bytes of its own that it begins with.
            guard let light = LightMetadata(av1: Array(box.payload.dropFirst(4))) ?? LightMetadata(av1: Array(head))
            else {
                return nil
            }
            self = light
        } else {
            return nil
        }
    }

    /// - Parameter arrays: what follows the number of the decoder configuration's arrays of units (ISO/IEC 14496-15 section 8.3.3.1.2), with it.
    private init?(hevc arrays: ArraySlice<UInt8>, _ head: ArraySlice<UInt8>, lengthSize: Int) {
        var units: [ArraySlice<UInt8>] = []
        var rest = arrays.dropFirst()
        for _ in 0..<Int(arrays.first ?? 0) {
            guard let count = UInt16(bigEndianBytes: rest.dropFirst().prefix(2)) else { break }
            rest = rest.dropFirst(3)
            for _ in 0..<count {
                guard let length = UInt16(bigEndianBytes: rest.prefix(2)) else { break }
                units.append(rest.dropFirst(2).prefix(Int(length)))
                rest = rest.dropFirst(2 + Int(length))
            }
        }
        units += Self.units(head, lengthSize: lengthSize)
        // Those that stand before the frame that they are about (ITU-T H.265 table 7-1).
        self.init(messages: units.filter { $0.first.map { $0 >> 1 & 0x3F } == 39 }, header: 2)
    }

    /// The units that bytes begin with, as far as they are whole.
    private static func units(_ head: ArraySlice<UInt8>, lengthSize: Int) -> [ArraySlice<UInt8>] {
        var (units, rest) = ([ArraySlice<UInt8>](), head)
        while rest.count > lengthSize {
            let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, length <= rest.count - lengthSize else { break }
            units.append(rest.dropFirst(lengthSize).prefix(length))
            rest = rest.dropFirst(lengthSize + length)
        }
        return units
    }

    /// Reads supplemental enhancement information (ITU-T H.264 and H.265, annexes D): mastering display colour volume and content light
    /// level, whose bytes are those of `mdcv` and `clli`.
    ///
    /// - Parameter header: the size of a unit's.
    private init?(messages units: [ArraySlice<UInt8>], header: Int) {
        self.init()
        for unit in units {
            var rest = NALUnits.unescaped(unit.dropFirst(header))[...]
            // At the end stands a byte that stops it.
            while rest.count > 2, let type = rest.popNumber(), let size = rest.popNumber(), size <= rest.count {
                let payload = rest.prefix(size)
                switch type {
                case 137:
                    display = (try? MasteringDisplay(Box(type: "mdcv", fileOffset: 0, payload: payload))) ?? display
                case 144: content = (try? ContentLight(Box(type: "clli", fileOffset: 0, payload: payload))) ?? content
                default: break
                }
                rest = rest.dropFirst(size)
            }
        }
        guard display != nil || content != nil else { return nil }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a number off the front that all bytes of 255 and the one behind them add up to; nil where it is not whole.
    fileprivate mutating func popNumber() -> Int? {
        var value = 0
        while let byte = popFirst() {
            value += Int(byte)
            if byte < 255 { return value }
        }
        return nil
    }
}

extension SampleEntry {
    /// Whether the frames themselves may tell of light.
    var mayTellLight: Bool { self["hvcC"] != nil || self["avcC"] != nil || self["av1C"] != nil }
}
