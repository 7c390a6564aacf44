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

    /// - Throws: `nothingToRecover` where its length is right, `noSamples`, `unsupported` for what is no such file.
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
        dataEnd = try Self.scan(file, from: begin) { info.add(frame: $0, samples: $1) }
        guard info.sampleCount > 0 else { throw .noSamples }
        guard told != info.sampleCount || dataEnd != file.size else { throw .nothingToRecover }
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

    /// Goes through the frames: each ends where its checksum comes out, and the next one or nothing follows.
    ///
    /// - Returns: where the last whole one ends.
    private static func scan(
        _ file: ReadableFile, from begin: UInt64, _ body: (_ size: Int, _ samples: Int) -> Void
    ) throws(MovieFileError) -> UInt64 {
        // What has been read begins at `place`, with what is left of earlier frames before `start`.
        var (bytes, start, place): ([UInt8], Int, UInt64) = ([], 0, begin)
        while true {
            if start > piece {
                bytes.removeFirst(start)
                start = 0
            }
            var frame = FLACFrame(bytes[start...])
            var (sum, index, end): (UInt16, Int, Int?) = (0, start, nil)
            while end == nil {
                if bytes.count - index < FLACFrame.longestHead {
                    let more = try file.read(upTo: piece, at: place + UInt64(bytes.count - start))
                    bytes += more
                    frame = frame ?? FLACFrame(bytes[start...])
                    if more.isEmpty {
                        sum = bytes[index...].reduce(sum, CRC.sixteen)
                        guard sum == 0, bytes.count > start else { return place }
                        end = bytes.count
                        break
                    }
                }
                guard let frame, index - start < largestFrame else { return place }
                if sum == 0, index - start > frame.headSize, bytes[index] == 0xFF,
                    FLACFrame(bytes[index...]) != nil
                {
                    end = index
                } else {
                    sum = CRC.sixteen(sum, bytes[index])
                    index += 1
                }
            }
            guard let frame, let end else { return place }
            body(end - start, frame.blockSize)
            place += UInt64(end - start)
            start = end
        }
    }
}
