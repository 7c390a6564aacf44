/// How many frames a decoder is behind what goes into it, because frames are coded in another order than they are shown, as
/// a stream's own headers say.
package enum ReorderDelay {
    /// - Parameter stream: The first frame of a stream of H.264, with start codes.
    /// - Returns: nil where there are no headers.
    package static func frames(ofH264 stream: [UInt8]) -> Int? {
        units(stream).lazy.compactMap(parameterSet).first.map { $0.reorderedFrames ?? 0 }
    }

    /// - Parameter stream: The first frame of a stream of H.264, with start codes.
    /// - Returns: nil too where its headers leave it open.
    package static func told(byH264 stream: [UInt8]) -> Int? {
        units(stream).lazy.compactMap(parameterSet).first.flatMap { $0.isInOrder ? 0 : $0.reorderedFrames }
    }

    /// The same in the parser's samples, which are fields where a frame may be coded as two of them.
    ///
    /// - Parameter stream: The first frame of a stream of H.264, with start codes.
    /// - Returns: nil too where its headers leave it open.
    package static func samples(toldByH264 stream: [UInt8]) -> Int? {
        units(stream).lazy.compactMap(parameterSet).first.flatMap { set in
            set.isInOrder ? 0 : set.reorderedFrames.map { set.isFramesOnly ? $0 : 2 * $0 }
        }
    }

    /// - Parameter stream: The first frame of a stream of MPEG-4 Visual.
    /// - Returns: nil where there are no headers.
    package static func told(byMPEG4 stream: [UInt8]) -> Int? {
        units(stream).first(where: isObjectLayer).map(objectLayer)
    }

    private static func parameterSet(_ unit: ArraySlice<UInt8>) -> AVCParameterSet? {
        guard let first = unit.first, first & 0x1F == 7, first & 0x60 != 0 else { return nil }
        return AVCParameterSet(unit)
    }

    /// Whether it is a video object layer (ISO/IEC 14496-2 table 6-3).
    private static func isObjectLayer(_ unit: ArraySlice<UInt8>) -> Bool {
        unit.first.map { (0x20...0x2F).contains($0) } ?? false
    }

    /// What stands between start codes (ITU-T H.264 annex B; ISO/IEC 14496-2 section 6.2.1).
    private static func units(_ stream: [UInt8]) -> [ArraySlice<UInt8>] {
        var begins: [Int] = []
        var place = 0
        // Headers come first; the frame behind them is of no interest.
        let end = min(stream.count, 4096) - 3
        while place < end {
            if stream[place] == 0, stream[place + 1] == 0, stream[place + 2] == 1 {
                begins.append(place + 3)
                place += 3
            } else {
                place += 1
            }
        }
        return begins.enumerated().map { index, begin in
            stream[begin..<(index + 1 < begins.count ? begins[index + 1] - 3 : stream.count)]
        }
    }

    /// One frame where the layer has frames that are predicted from both sides (ISO/IEC 14496-2 section 6.2.3).
    private static func objectLayer(_ unit: ArraySlice<UInt8>) -> Int {
        var reader = BitReader(Array(unit.dropFirst().prefix(16)))
        _ = reader.skip(1)
        let type = reader.read(8)
        if reader.read(1) == 1 { _ = reader.skip(7) }
        // The shape of pixels, stated for the last of the codes.
        if reader.read(4) == 15 { _ = reader.skip(16) }
        if reader.read(1) == 1 {
            _ = reader.skip(2)
            return reader.read(1) == 0 ? 1 : 0
        }
        // Where nothing is said: the simple profile has no such frames, and of the advanced simple one ffmpeg, whose files say
        // it always, takes that they have none.
        return type == 1 || type == 17 ? 0 : 1
    }
}
