/// Writes slices, one after another, in memory of its own. For one thread.
final class SliceCoder {
    /// Blocks of a slice's plane, at most: eight macroblocks of four.
    private static let blocks = FrameLayout.slice * 4
    /// Bytes of a slice, at most: 32 bits for each coefficient of three planes, and as many for each value of alpha.
    private static let capacity = blocks * 64 * 4 * 4 + 64

    /// Eight blocks on their way through the transform.
    private let block = UnsafeMutablePointer<Lanes>.allocate(capacity: 64)
    /// Quantised coefficients of a plane, by place in the block and then by block, which is the order they are written in.
    private let levels = UnsafeMutablePointer<Int16>.allocate(capacity: 64 * blocks)
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

    deinit {
        block.deallocate()
        levels.deallocate()
        output.deallocate()
    }

    /// Codes one slice: its header, then the planes' coefficients (RDD 36, slice syntax).
    ///
    /// - Returns: memory that is good until the next call.
    func code(
        _ slice: (first: Int, count: Int), row: Int, of planes: [(Plane, BlockOrder)], alpha: Plane?,
        _ quantiser: Quantiser, scan: [Int]
    ) -> UnsafeBufferPointer<UInt8> {
        let header = alpha == nil ? 6 : 8
        var end = header
        var sizes: [Int] = []
        for (plane, order) in planes {
            let blocks = transform(slice, row, plane, order, quantiser)
            var bits = BitWriter(output + end)
            let coefficients = Coefficients(levels: levels, stride: Self.blocks, blocks: blocks, scan: scan)
            coefficients.codeDC(&bits)
            coefficients.codeAC(&bits)
            sizes.append(bits.finish())
            end += sizes.last ?? 0
        }
        if let alpha {
            alphaCount = code(slice, row, alpha, at: end)
            end += alphaCount
        }
        // The size of the header in bytes, in the upper five bits; then the sizes of all planes but the last, which may be alpha.
        output[0] = UInt8(header << 3)
        output[1] = quantiser.index
        for (index, size) in sizes.prefix(alpha == nil ? 2 : 3).enumerated() {
            output[2 + 2 * index] = UInt8(truncatingIfNeeded: size >> 8)
            output[3 + 2 * index] = UInt8(truncatingIfNeeded: size)
        }
        return UnsafeBufferPointer(start: output, count: end)
    }

    /// How many bytes there are of the last slice's alpha.
    private(set) var alphaCount = 0

    /// Alpha row by row, in 16 bits; beyond the frame's edge its last values go on.
    ///
    /// - Returns: how many bytes there are of it.
    private func code(_ slice: (first: Int, count: Int), _ row: Int, _ plane: Plane, at place: Int) -> Int {
        var (bits, coder) = (BitWriter(output + place), AlphaCoder())
        for y in row * 16..<row * 16 + 16 {
            let line = plane.bytes + min(y, plane.height - 1) * plane.stride
            for x in slice.first * 16..<(slice.first + slice.count) * 16 {
                let x = min(x, plane.width - 1)
                let value =
                    plane.depth == .eight
                    ? UInt32(line.load(fromByteOffset: x, as: UInt8.self)) * 257
                    : UInt32(line.load(fromByteOffset: 2 * x, as: UInt16.self)) & Self.tenBits
                // The highest bits below, so that opaque is opaque.
                coder.code(plane.depth == .eight ? value : value << 6 | value >> 4, &bits)
            }
        }
        coder.finish(&bits)
        return bits.finish()
    }

    /// Samples to levels, eight blocks at a time; returns how many blocks there are.
    private func transform(
        _ slice: (first: Int, count: Int), _ row: Int, _ plane: Plane, _ order: BlockOrder, _ quantiser: Quantiser
    ) -> Int {
        let perMacroblock = order.places.count
        let (count, level) = (slice.count * perMacroblock, plane.level)
        var first = 0
        while first < count {
            var lane = 0
            while lane < min(8, count - first) {
                let (macroblock, place) = (first + lane).quotientAndRemainder(dividingBy: perMacroblock)
                let x = (slice.first + macroblock) * order.width + order.places[place].x
                load(plane, x: x, y: row * 16 + order.places[place].y, lane: lane)
                lane += 1
            }
            prepare(level)
            Transform.forward(block)
            quantise(first, quantiser)
            first += 8
        }
        return count
    }

    /// Puts a block into one lane, in ten bits.
    private func load(_ plane: Plane, x: Int, y: Int, lane: Int) {
        switch (plane.depth, plane.isHalved) {
        case (.ten, false):
            load(plane, UInt16.self, x, y, lane) { near, _ in near & Self.tenBits }
        case (.ten, true):
            load(plane, UInt16.self, x, y, lane) { (3 &* ($0 & Self.tenBits) &+ ($1 & Self.tenBits) &+ 2) >> 2 }
        case (.eight, false):
            load(plane, UInt8.self, x, y, lane) { near, _ in near << 2 }
        case (.eight, true):
            // Four times the mean of three parts and one.
            load(plane, UInt8.self, x, y, lane) { 3 &* $0 &+ $1 }
        }
    }

    /// As the bit patterns of 2²³ + sample, which needs no conversion. Beyond the frame's edge its last samples go on.
    ///
    /// - Parameter value: the sample, of the two rows that it is made of.
    @inline(__always)
    private func load<Sample: FixedWidthInteger>(
        _ plane: Plane, _: Sample.Type, _ x: Int, _ y: Int, _ lane: Int, _ value: (UInt32, UInt32) -> UInt32
    ) {
        let target = UnsafeMutableRawPointer(block).assumingMemoryBound(to: UInt32.self) + lane
        let isInside = x + 8 <= plane.width
        var row = 0
        while row < 8 {
            let (near, far) = plane.rows(at: y + row)
            let first = (plane.bytes + near * plane.stride).assumingMemoryBound(to: Sample.self)
            let second = (plane.bytes + far * plane.stride).assumingMemoryBound(to: Sample.self)
            let place = target + row * 64
            for column in 0..<8 {
                let sample = isInside ? x + column : min(x + column, plane.width - 1)
                place[column &* 8] =
                    value(UInt32(truncatingIfNeeded: first[sample]), UInt32(truncatingIfNeeded: second[sample]))
                    | Self.exponent
            }
            row &+= 1
        }
    }

    /// What lies above is no part of a sample, and would make coefficients larger than there is room for.
    private static let tenBits: UInt32 = 0x3FF
    private static let exponent: UInt32 = 0x4B00_0000
    private static let twoTo23: Float = 8_388_608

    /// Takes off what ``load`` added, and half of the range, so that grey is 0.
    private func prepare(_ level: (scale: Float, shift: Float)) {
        var place = 0
        while place < 64 {
            block[place] = (block[place] - Self.twoTo23) * level.scale - level.shift
            place &+= 1
        }
    }

    private func quantise(_ first: Int, _ quantiser: Quantiser) {
        quantiser.factors.withUnsafeBufferPointer { factors in
            var place = 0
            while place < 64 {
                let bits = unsafeBitCast(block[place], to: SIMD8<UInt32>.self)
                let magnitude = unsafeBitCast(bits & 0x7FFF_FFFF, to: Lanes.self)
                let rounding: Float = place == 0 ? 0.5 : Quantiser.rounding
                // To be added to 2²³ rounds to a whole number, whose bits are then the lowest of the sum's.
                let sum = magnitude * factors[place] + (rounding - 0.5) + Self.twoTo23
                let whole = unsafeBitCast(sum, to: SIMD8<Int32>.self) & 0x7F_FFFF
                let sign = unsafeBitCast(bits, to: SIMD8<Int32>.self) &>> 31
                UnsafeMutableRawPointer(levels + (place &* Self.blocks &+ first)).storeBytes(
                    of: SIMD8<Int16>(truncatingIfNeeded: (whole ^ sign) &- sign), as: SIMD8<Int16>.self)
                place &+= 1
            }
        }
    }
}
