/// What the parameter sets of H.264 and HEVC say of colors, in streams whose units stand behind start codes (annexes B).
package enum ParameterSetColors {
    /// The same frame with other words in its sequence parameter sets.
    ///
    /// - Parameters:
    ///   - frame: Units behind start codes, the sets before the first part of a frame.
    ///   - isHEVC: Whether it is HEVC; otherwise it is H.264.
    /// - Returns: nil where there is no set, or one without usability information, which has no place for colors.
    package static func describing(_ frame: [UInt8], isHEVC: Bool, _ color: ColorInformation) -> [UInt8]? {
        let codec: ParameterSetCodec = isHEVC ? .hevc : .avc
        var (changed, written) = ([UInt8](), 0)
        for place in units(frame, codec) {
            guard case .sps = codec.kind(frame[place.lowerBound]) else { continue }
            guard let set = describing(Array(frame[place]), codec, color) else { return nil }
            changed += frame[written..<place.lowerBound] + set
            written = place.upperBound
        }
        return written == 0 ? nil : changed + frame[written...]
    }

    /// What the first sequence parameter set says; nil where there is none, or it says nothing.
    ///
    /// - Parameters:
    ///   - frame: Units behind start codes.
    ///   - isHEVC: Whether it is HEVC; otherwise it is H.264.
    package static func read(_ frame: [UInt8], isHEVC: Bool) -> ColorInformation? {
        let codec: ParameterSetCodec = isHEVC ? .hevc : .avc
        return units(frame, codec).lazy.compactMap { color(of: frame[$0], codec) }.first
    }

    /// The same of `avcC` or `hvcC`.
    package static func read(record: [UInt8], isHEVC: Bool) -> ColorInformation? {
        let codec: ParameterSetCodec = isHEVC ? .hevc : .avc
        let box = Box(type: codec.record, fileOffset: 0, payload: record[...])
        let sets = (try? ParameterSetRecord(codec, box)) ?? nil
        return sets?.units.lazy.compactMap { color(of: $0[...], codec) }.first
    }

    private static func color(of unit: ArraySlice<UInt8>, _ codec: ParameterSetCodec) -> ColorInformation? {
        guard let first = unit.first, case .sps = codec.kind(first) else { return nil }
        return codec == .avc ? AVCParameterSet(unit)?.colour : HEVCParameterSet(unit)?.colour
    }

    /// Where the units before the first part of a frame stand, without their start codes.
    private static func units(_ frame: [UInt8], _ codec: ParameterSetCodec) -> [Range<Int>] {
        var (places, begin, index) = ([Range<Int>](), Int?.none, 0)
        while index + 3 < frame.count {
            guard frame[index] == 0, frame[index + 1] == 0, frame[index + 2] == 1 else {
                index += 1
                continue
            }
            if let begin { places.append(begin..<end(frame, index, from: begin)) }
            begin = index + 3
            if case .frame = codec.kind(frame[index + 3]) { return places }
            index += 3
        }
        if let begin { places.append(begin..<frame.count) }
        return places
    }

    /// A unit ends before the zeros of the next start code.
    private static func end(_ frame: [UInt8], _ next: Int, from begin: Int) -> Int {
        var end = next
        while end > begin + 1, frame[end - 1] == 0 { end -= 1 }
        return end
    }

    /// Puts words about colors and the place of chroma (ITU-T H.264 and H.265, section E.2.1) in the place of a set's own.
    private static func describing(
        _ unit: [UInt8], _ codec: ParameterSetCodec, _ color: ColorInformation
    ) -> [UInt8]? {
        guard let place = (try? ParameterSetFields(unit, codec))?.colour else { return nil }
        let payload = NALUnits.unescaped(unit)
        var writer = BitWriter()
        writer.append(0..<place.lowerBound, of: payload)
        // A description, of video in no system of television, with its range and its colors.
        writer.append(1, count: 1)
        writer.append(5, count: 3)
        writer.append(color.isFullRange == true ? 1 : 0, count: 1)
        writer.append(color.isSpecified ? 1 : 0, count: 1)
        if color.isSpecified {
            for code in [color.primaries, color.transfer, color.matrix] { writer.append(Int(code), count: 8) }
        }
        writer.append(color.chromaLocation == nil ? 0 : 1, count: 1)
        // Of both fields.
        if let location = color.chromaLocation { for _ in 0..<2 { writer.append(number: Int(location)) } }
        // The last bit that is set ends the set; what it ends is filled up again.
        guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
        writer.append(place.upperBound..<(last + 1) * 8 - payload[last].trailingZeroBitCount, of: payload)
        return NALUnits.escaped(writer.bytes)
    }
}
