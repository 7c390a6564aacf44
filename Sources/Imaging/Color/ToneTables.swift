/// A ``ToneMapping`` as tables of one dimension, between which there is little to compute; at most a fifth of a code value of 8 bits
/// away from it. A cube of red, green and blue of 65 points on each edge is up to eleven away.
///
/// `@unchecked Sendable` because its memory is written before anybody else has it, and never again.
final class ToneTables: @unchecked Sendable {
    let mapper: ToneMapper
    private let memory: UnsafeMutablePointer<Float>

    init(_ mapping: ToneMapping) {
        // One more at each end, for the lines there.
        let last = Double(ToneMapper.values - 1)
        let lights: [[Float]] = [
            (-1...ToneMapper.values).map { Float(mapping.light(min(max(Double($0) / last, 0), 1))) },
            LightTable.lights.map { Float(mapping.gain($0)) },
            // Black and white are exact.
            [0] + LightTable.lights.dropFirst().map { Float(min(ToneMapping.value($0), 1)) },
            mapping.transfer == .hlg ? LightTable.lights.map { Float(mapping.displayGain($0)) } : [],
        ]
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: lights.reduce(0) { $0 + $1.count })
        var tables: [UnsafePointer<Float>] = []
        var place = memory
        for table in lights {
            place.initialize(from: table, count: table.count)
            tables.append(UnsafePointer(place))
            place += table.count
        }
        self.memory = memory
        mapper = ToneMapper(mapping, tables)
    }

    deinit { memory.deallocate() }
}

/// Places in a table of light, whose steps are as fine for dark light as for bright: 256 to each doubling, found in the bits of a number.
enum LightTable {
    /// 2^-24 is a fifth of a code value; 2^6 is brighter than 10,000 cd/m² where 203 is 1.
    private static var lowest: Float { 0x1p-24 }
    private static var doublings: Int { 30 }
    private static var bits: UInt32 { 8 }

    /// In the middle of each place.
    static var lights: [Double] {
        (0..<doublings << Int(bits)).map { index in
            let pattern = lowest.bitPattern + UInt32(index) << (23 - bits)
            return Double(Float(bitPattern: pattern + 1 << (22 - bits)))
        }
    }

    /// - Parameter light: below 2^6.
    @inline(__always) static func place(_ light: SIMD4<Float>) -> SIMD4<UInt32> {
        let least = SIMD4(repeating: lowest)
        let inside = light.replacing(with: least, where: light .< least)
        return (unsafeBitCast(inside, to: SIMD4<UInt32>.self) &- lowest.bitPattern) &>> (23 - bits)
    }
}

/// What is looked up in ``ToneTables``; good as long as those are.
struct ToneMapper: ColorChange {
    /// How many the first table has, between which lies a straight line: bright colors at the edge of what a screen can show are
    /// differences of large numbers, so they need more than the nearest.
    static var values: Int { 4096 }

    private let (light, gain, value, displayGain):
        (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>)
    private let isHLG: Bool
    private let knee: Float
    private let (ofRed, ofGreen, ofBlue, luminance): (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    fileprivate init(_ mapping: ToneMapping, _ tables: [UnsafePointer<Float>]) {
        (light, gain, value, displayGain) = (tables[0], tables[1], tables[2], tables[3])
        (isHLG, knee) = (mapping.transfer == .hlg, Float(mapping.knee))
        func vector(_ vector: SIMD3<Double>) -> SIMD4<Float> { SIMD4(SIMD3<Float>(vector), 0) }
        let columns = mapping.primaries.columns(in: .bt709)
        (ofRed, ofGreen, ofBlue) = (vector(columns[0]), vector(columns[1]), vector(columns[2]))
        luminance = vector(mapping.primaries.luminance)
    }

    @inline(__always) func mapped(_ color: SIMD4<Float>) -> SIMD4<Float> {
        var light = lit(color)
        if isHLG {
            let parts = light * luminance
            light *= looked(displayGain, SIMD4(repeating: parts.x + parts.y + parts.z)).x
        }
        let most = max(light.x, light.y, light.z)
        if most > knee { light *= looked(gain, SIMD4(repeating: most)).x }
        return shown(ofRed * light.x + ofGreen * light.y + ofBlue * light.z)
    }

    @inline(__always) func mapped(
        _ red: SIMD4<Float>, _ green: SIMD4<Float>, _ blue: SIMD4<Float>
    ) -> ColorsOfFour? {
        var (red, green, blue) = (lit(red), lit(green), lit(blue))
        if isHLG {
            let parts = red * luminance.x + green * luminance.y + blue * luminance.z
            let gain = looked(displayGain, parts)
            (red, green, blue) = (red * gain, green * gain, blue * gain)
        }
        var most = red
        most.replace(with: green, where: green .> most)
        most.replace(with: blue, where: blue .> most)
        if any(most .> SIMD4(repeating: knee)) {
            let gain = looked(gain, most)
            (red, green, blue) = (red * gain, green * gain, blue * gain)
        }
        return (
            shown(red * ofRed.x + green * ofGreen.x + blue * ofBlue.x),
            shown(red * ofRed.y + green * ofGreen.y + blue * ofBlue.y),
            shown(red * ofRed.z + green * ofGreen.z + blue * ofBlue.z)
        )
    }

    /// The light of values.
    @inline(__always) private func lit(_ value: SIMD4<Float>) -> SIMD4<Float> {
        let (first, last) = (SIMD4<Float>(repeating: 1), SIMD4<Float>(repeating: Float(Self.values)))
        var place = value * Float(Self.values - 1) + first
        place.replace(with: first, where: place .< first)
        place.replace(with: last, where: place .> last)
        // The whole number below, which stands in the lowest bits.
        let shifted = place + 8_388_607.5
        let index = unsafeBitCast(shifted, to: SIMD4<UInt32>.self) & 0xFFFF
        let rest = place - (shifted - 8_388_608)
        let (a, b, c, d) = (
            light + Int(index.x), light + Int(index.y), light + Int(index.z), light + Int(index.w)
        )
        let lower = SIMD4(a[0], b[0], c[0], d[0])
        return lower + (SIMD4(a[1], b[1], c[1], d[1]) - lower) * rest
    }

    @inline(__always) private func looked(_ table: UnsafePointer<Float>, _ light: SIMD4<Float>) -> SIMD4<Float> {
        let place = LightTable.place(light)
        return SIMD4(table[Int(place.x)], table[Int(place.y)], table[Int(place.z)], table[Int(place.w)])
    }

    @inline(__always) private func shown(_ light: SIMD4<Float>) -> SIMD4<Float> {
        let white = SIMD4<Float>(repeating: 1)
        return looked(value, light.replacing(with: white, where: light .> white))
    }
}
