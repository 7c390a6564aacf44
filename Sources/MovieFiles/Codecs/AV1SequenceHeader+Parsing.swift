extension AV1SequenceHeader {
    /// Each part returns false where the header ends too early.
    mutating func parse(_ bits: inout BitReader) -> Bool {
        guard let profile = bits.read(3), bits.skip(1), let isReduced = bits.readFlag() else { return false }
        self.profile = profile
        if isReduced {
            guard let level = bits.read(5) else { return false }
            self.level = level
        } else {
            guard parseOperatingPoints(&bits) else { return false }
        }
        guard let widthBits = bits.read(4), let heightBits = bits.read(4), bits.skip(widthBits + heightBits + 2)
        else { return false }
        if !isReduced {
            guard let hasFrameIDs = bits.readFlag(), !hasFrameIDs || bits.skip(7) else { return false }
        }
        // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
        guard bits.skip(3) else { return false }
        if !isReduced { guard skipTools(&bits) else { return false } }
        // enable_superres, enable_cdef, enable_restoration
        guard bits.skip(3) else { return false }
        return parseColor(&bits)
    }

    private mutating func parseOperatingPoints(_ bits: inout BitReader) -> Bool {
        var delayBits: Int?
        guard let hasTiming = bits.readFlag() else { return false }
        if hasTiming {
            guard bits.skip(64), let isEqual = bits.readFlag(), !isEqual || bits.skipUVLC(),
                let hasModel = bits.readFlag()
            else { return false }
            if hasModel {
                guard let length = bits.read(5), bits.skip(42) else { return false }
                delayBits = length + 1
            }
        }
        guard let hasDisplayDelay = bits.readFlag(), let count = bits.read(5) else { return false }
        for index in 0...count {
            guard bits.skip(12), let level = bits.read(5) else { return false }
            var tier = 0
            if level > 7 {
                guard let bit = bits.read(1) else { return false }
                tier = bit
            }
            if index == 0 { (self.level, self.tier) = (level, tier) }
            if let delayBits {
                guard let isPresent = bits.readFlag(), !isPresent || bits.skip(2 * delayBits + 1) else { return false }
            }
            if hasDisplayDelay {
                guard let isPresent = bits.readFlag(), !isPresent || bits.skip(4) else { return false }
            }
        }
        return true
    }

    /// The coding tools that a full header lists between the sizes and the colours.
    private func skipTools(_ bits: inout BitReader) -> Bool {
        // Interintra and masked compounds, warped motion, dual filter.
        guard bits.skip(4), let hasOrderHint = bits.readFlag(), !hasOrderHint || bits.skip(2),
            let choosesScreenContent = bits.readFlag()
        else { return false }
        var screenContent = 2
        if !choosesScreenContent {
            guard let forced = bits.read(1) else { return false }
            screenContent = forced
        }
        if screenContent > 0 {
            guard let choosesIntegerVectors = bits.readFlag(), choosesIntegerVectors || bits.skip(1) else {
                return false
            }
        }
        return !hasOrderHint || bits.skip(3)
    }

    private mutating func parseColor(_ bits: inout BitReader) -> Bool {
        guard let isHigh = bits.readFlag() else { return false }
        bitDepth = isHigh ? 10 : 8
        if profile == 2, isHigh {
            guard let isTwelve = bits.readFlag() else { return false }
            if isTwelve { bitDepth = 12 }
        }
        if profile != 1 {
            guard let flag = bits.readFlag() else { return false }
            isMonochrome = flag
        }
        missingDescription = bits.position
        guard let isDescribed = bits.readFlag() else { return false }
        if isDescribed {
            missingDescription = nil
            guard let primaries = bits.read(8), let transfer = bits.read(8), let matrix = bits.read(8) else {
                return false
            }
            colour = ColorInformation(
                primaries: UInt16(primaries), transfer: UInt16(transfer), matrix: UInt16(matrix), isFullRange: nil)
        }
        // sRGB implies full range and no subsampling.
        if !isMonochrome, colour.primaries == 1, colour.transfer == 13, colour.matrix == 0 {
            (colour.isFullRange, subsamplingX, subsamplingY) = (true, false, false)
            return true
        }
        guard let isFull = bits.readFlag() else { return false }
        colour.isFullRange = isFull
        if isMonochrome { return true }
        switch profile {
        case 0: break
        case 1: (subsamplingX, subsamplingY) = (false, false)
        default:
            (subsamplingX, subsamplingY) = (true, false)
            if bitDepth == 12 {
                guard let x = bits.readFlag(), let y = x ? bits.readFlag() : false else { return false }
                (subsamplingX, subsamplingY) = (x, y)
            }
        }
        if subsamplingX, subsamplingY {
            guard let position = bits.read(2) else { return false }
            chromaSamplePosition = position
        }
        return true
    }
}

extension BitReader {
    fileprivate mutating func skipUVLC() -> Bool {
        var zeros = 0
        while let bit = read(1), bit == 0 { zeros += 1 }
        return zeros < 32 ? skip(zeros) : true
    }
}
