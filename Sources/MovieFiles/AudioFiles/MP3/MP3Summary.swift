/// The first frame of an MP3 file, which has no audio and says how much follows and where it lies (Xing), and which of it is heard ("Mp3 Info
/// Tag rev 1 specifications", LAME).
struct MP3Summary {
    /// Of the frames that it is about.
    let header: MPEGAudioHeader
    private let frame: [UInt8]
    /// Where its table stands: behind the header and what describes the audio of a frame.
    private let place: Int
    private var frameCount = 0
    private var byteCount = 0
    /// Where each so many frames begin, among the bytes of all.
    private var places: [Int] = []
    private var step = 1

    /// Samples that LAME puts in front.
    private static let delay = 576
    /// Bytes of the table, and of what LAME adds to it.
    private static let (tableSize, addedSize) = (120, 36)
    /// Of frames that are remembered, at most.
    private static let mostPlaces = 1000

    /// - Parameter firstFrame: of the audio; nil where it is none.
    init?(firstFrame: [UInt8]) {
        guard let header = MPEGAudioHeader(firstFrame[...]) else { return nil }
        self.header = header
        // ISO/IEC 11172-3 section 2.4.1.7, 13818-3 section 2.4.1.7: side information of layer 3.
        let isFirst = header.samplesPerFrame == 1152
        place = 4 + (header.channels == 1 ? (isFirst ? 17 : 9) : isFirst ? 32 : 17)
        var start = Array(firstFrame.prefix(4))
        // No checksum; the lowest bit rate whose frames have the room.
        start[1] |= 1
        for rate in UInt8(1)...14 {
            start[2] = rate << 4 | start[2] & 0x0C
            guard let size = MPEGAudioHeader(start[...])?.size, size >= place + Self.tableSize + Self.addedSize else {
                continue
            }
            frame = start + [UInt8](repeating: 0, count: size - start.count)
            return
        }
        return nil
    }

    mutating func add(frame size: Int) {
        if frameCount.isMultiple(of: step) { places.append(byteCount) }
        if places.count > Self.mostPlaces {
            places = stride(from: 0, to: places.count, by: 2).map { places[$0] }
            step *= 2
        }
        frameCount += 1
        byteCount += size
    }

    /// Whether a frame is such a one, and as long as this: another one can take its place.
    func isOne(_ frame: [UInt8]) -> Bool {
        MPEGAudioHeader(frame[...])?.size == self.frame.count && frame.dropFirst(place).starts(with: "Xing".utf8)
    }

    /// Whether it tells of as many frames as were added.
    func isTold(in frame: [UInt8]) -> Bool {
        UInt32(bigEndianBytes: frame.dropFirst(place + 8).prefix(4)) == UInt32(clamping: frameCount)
    }

    /// How many frames follow one that has no audio and tells it; nil for any other frame.
    func count(in frame: [UInt8]) -> Int? {
        let mark = frame.dropFirst(place).prefix(4)
        guard mark.elementsEqual("Xing".utf8) || mark.elementsEqual("Info".utf8), frame.count > place + 12,
            frame[place + 7] & 1 == 1
        else { return nil }
        return UInt32(bigEndianBytes: frame.dropFirst(place + 8).prefix(4)).map(Int.init)
    }

    /// Of samples in frames, those that were encoded, where nobody knows what fills up the last frame.
    func heard(of samples: Int) -> Int { max(0, samples - Self.delay) }

    /// - Parameter samples: that were encoded.
    func bytes(samples: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(contentsOf: "Xing".utf8)
        // The numbers of frames and bytes, the table and the quality are all there.
        writer.append(UInt32(15))
        writer.append(UInt32(clamping: frameCount))
        writer.append(UInt32(clamping: frame.count + byteCount))
        writer.append(contentsOf: table)
        writer.append(UInt32(0))
        // Of what was copied all is heard, and nothing is known of its encoder.
        let padding = frameCount * Int(header.samplesPerFrame) - Self.delay - samples
        if padding >= 0 { writer.append(contentsOf: lame(padding: padding)) }
        var bytes = frame
        bytes.replaceSubrange(place..<(place + writer.bytes.count), with: writer.bytes)
        guard padding >= 0 else { return bytes }
        let end = place + Self.tableSize + Self.addedSize - 2
        let checksum = Self.checksum(bytes[..<end])
        (bytes[end], bytes[end + 1]) = (UInt8(checksum >> 8), UInt8(checksum & 0xFF))
        return bytes
    }

    /// For each hundredth of the time, where it lies in the file's 256 parts.
    private var table: [UInt8] {
        let all = Double(frame.count + byteCount)
        return (0..<100).map { hundredth in
            let index = hundredth * frameCount / 100 / step
            guard places.indices.contains(index) else { return 0 }
            return UInt8(clamping: Int(Double(frame.count + places[index]) / all * 256))
        }
    }

    private func lame(padding: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(contentsOf: "LAME3.100".utf8)
        // Variable bit rate, and nothing of filters, loudness and settings.
        writer.append(contentsOf: [4] + [UInt8](repeating: 0, count: 11))
        let padding = min(padding, 0xFFF)
        writer.append(contentsOf: [
            UInt8(Self.delay >> 4), UInt8(Self.delay & 0xF) << 4 | UInt8(padding >> 8), UInt8(padding & 0xFF),
        ])
        writer.append(UInt32(0))
        writer.append(UInt32(clamping: frame.count + byteCount))
        // Of the audio, which is not read again, and of this frame, which follows when it is whole.
        writer.append(UInt32(0))
        return writer.bytes
    }

    /// CRC-16 with the polynomial 0x8005, bits reversed, from 0.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt16(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1
            }
        }
    }
}
