import MediaTypes

/// What a FLAC file lacks whose recorder died: how long it is, and perhaps a whole frame at its end.
struct FLACRecovery: AudioFileRecovery {
    /// Where the last whole frame ends.
    let dataEnd: UInt64
    let bytesLost: UInt64
    private let info: FLACStreamInfo
    var sampleCount: Int { Int(clamping: info.sampleCount) }
    var duration: MediaTime { .lasting(samples: sampleCount, rate: info.sampleRate) }

    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        try file.read(upTo: 4, at: 0).elementsEqual("fLaC".utf8)
    }

    /// Metadata blocks before the frames, and bytes of a frame, at most.
    private static let (mostBlocks, largestFrame) = (1000, 16 << 20)
    /// Bytes that are read at once.
    private static let piece = 1 << 20

    /// - Throws: `nothingToRecover` where it has as many samples as it says, whatever lies behind them, `noSamples`, `unsupported` for what is no such file.
    init(_ file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
        guard head.count == FLACStreamInfo.place + FLACStreamInfo.size, head[4] & 0x7F == 0 else {
            throw .unsupported(reason: "its header is damaged")
        }
        let format = head[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var info = FLACStreamInfo()
        (info.sampleRate, info.channels) = (Int(format >> 44), Int(format >> 41 & 7) + 1)
        info.bits = Int(format >> 36 & 31) + 1
        let told = format & 0xF_FFFF_FFFF
        let begin = try Self.framesPlace(file)
        dataEnd = try Self.scan(file, from: begin, total: told) { info.add(frame: $0, samples: $1) }
        guard info.sampleCount > 0 else { throw .noSamples }
        if told == info.sampleCount {
            // But for a frame that was begun, it is another program's.
            let rest = try file.read(upTo: 2, at: dataEnd)
            guard rest.first == 0xFF, rest.count == 1 || rest[1] & 0xFE == 0xF8 else { throw .nothingToRecover }
        }
        bytesLost = file.size - dataEnd
        self.info = info
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) {
        try file.write(info.bytes, at: UInt64(FLACStreamInfo.place))
    }

    private static func framesPlace(_ file: ReadableFile) throws(MovieFileError) -> UInt64 {
        var place: UInt64 = 4
        for _ in 0..<mostBlocks {
            let block = try file.read(upTo: 4, at: place)
            guard block.count == 4 else { break }
            place += 4 + block.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if block[0] & 0x80 != 0 { return place }
        }
        throw .unsupported(reason: "its header is damaged")
    }

    /// Goes through the frames: each ends where its checksum comes out, and the next one, the beginning of one, a tag or nothing follows.
    ///
    /// - Parameter total: how many samples the file says that it has; behind the frame with the last of them anything may follow.
    /// - Returns: where the last whole one ends.
    private static func scan(
        _ file: ReadableFile, from begin: UInt64, total: UInt64, _ body: (_ size: Int, _ samples: Int) -> Void
    ) throws(MovieFileError) -> UInt64 {
        var samples: UInt64 = 0
        // What has been read begins at `place`, with what is left of earlier frames before `start`.
        var (bytes, start, place): ([UInt8], Int, UInt64) = ([], 0, begin)
        while true {
            if start > piece {
                bytes.removeFirst(start)
                start = 0
            }
            var frame = FLACFrame(bytes[start...])
            var (sum, index, end, match): (UInt16, Int, Int?, Int?) = (0, start, nil, nil)
            while end == nil {
                if bytes.count - index < FLACFrame.longestHead {
                    let more = try file.read(upTo: piece, at: place + UInt64(bytes.count - start))
                    bytes += more
                    frame = frame ?? FLACFrame(bytes[start...])
                    if more.isEmpty {
                        end = frame.flatMap { lastEnd(bytes, from: index, sum, head: start + $0.headSize) }
                        if end == nil, let frame, samples + UInt64(frame.blockSize) == total { end = match }
                        guard end != nil else { return place }
                        break
                    }
                }
                guard let frame, index - start < largestFrame else { return place }
                let matches = sum == 0 && index - start > frame.headSize
                if matches { match = index }
                if matches, isFollowing(bytes[index...]) {
                    end = index
                } else {
                    sum = CRC.sixteen(sum, bytes[index])
                    index += 1
                }
            }
            guard let frame, let end else { return place }
            body(end - start, frame.blockSize)
            samples += UInt64(frame.blockSize)
            place += UInt64(end - start)
            start = end
        }
    }

    /// Whether it is what may follow a frame: another one, or a tag of other programs (ID3, APE, Lyrics3).
    private static func isFollowing(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == 0xFF { return FLACFrame(bytes) != nil }
        return ["TAG", "ID3", "APETAGEX", "LYRICSBEGIN"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Where the last frame ends in a file's last bytes: with them, or where the next head begins of which not all was written.
    ///
    /// - Parameters:
    ///   - index: up to where `sum` is the checksum.
    ///   - head: where the frame's head ends.
    /// - Returns: nil where it is not whole.
    private static func lastEnd(_ bytes: [UInt8], from index: Int, _ sum: UInt16, head: Int) -> Int? {
        var (sum, end) = (sum, nil as Int?)
        for place in index..<bytes.count {
            let isBegun = bytes[place] == 0xFF && (place + 1 == bytes.count || bytes[place + 1] & 0xFE == 0xF8)
            if sum == 0, place > head, isBegun { end = place }
            sum = CRC.sixteen(sum, bytes[place])
        }
        return sum == 0 && bytes.count > head ? bytes.count : end
    }
}
