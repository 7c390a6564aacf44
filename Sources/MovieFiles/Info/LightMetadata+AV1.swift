extension LightMetadata {
    /// What the OBUs of a temporal unit tell of light (AV1 Bitstream & Decoding Process Specification, sections 5.8.3 and 5.8.4); nil where
    /// they tell nothing.
    package init?(av1 unit: [UInt8]) {
        self.init()
        for unit in AV1Units(unit[...]) where unit.type == .metadata {
            var payload = unit.payload
            switch payload.popLEB128() {
            case 1: content = ContentLight(av1: payload) ?? content
            case 2: display = MasteringDisplay(av1: payload) ?? display
            default: break
            }
        }
        guard display != nil || content != nil else { return nil }
    }
}

extension ContentLight {
    /// `metadata_hdr_cll`.
    fileprivate init?(av1 payload: ArraySlice<UInt8>) {
        var bits = BitReader(payload)
        guard let maximum = bits.read(16), let average = bits.read(16) else { return nil }
        self.init(maximum: maximum, average: average)
    }
}

extension MasteringDisplay {
    /// `metadata_hdr_mdcv`: red, green, blue and white in steps of 1/65536, then the brightest light in steps of 1/256 and the darkest in
    /// steps of 1/16384 candela a square metre (section 6.7.4).
    fileprivate init?(av1 payload: ArraySlice<UInt8>) {
        var bits = BitReader(payload)
        func place() -> Chromaticity? {
            guard let x = bits.read(16), let y = bits.read(16) else { return nil }
            return Chromaticity(x: Double(x) / 65_536, y: Double(y) / 65_536)
        }
        guard let red = place(), let green = place(), let blue = place(), let white = place(),
            let maximum = bits.read(32), let minimum = bits.read(32)
        else { return nil }
        self.init(
            red: red, green: green, blue: blue, whitePoint: white, maximumLuminance: Double(maximum) / 256,
            minimumLuminance: Double(minimum) / 16_384)
    }
}
