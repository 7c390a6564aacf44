import MediaTypes

/// The frames of a FLAC file as far as it has them, found by their checksums, also behind what is damaged.
struct FLACScan {
    /// With the samples of whole frames, and of those that are lost among them.
    private(set) var info: FLACStreamInfo
    /// Of each channel, in whole frames.
    private(set) var intactSamples = 0
    /// Where the last frame ends that is kept.
    private(set) var dataEnd: UInt64
    /// What is lost before that.
    private(set) var losses: [LostRange] = []

    private let file: ReadableFile
    /// How many samples the file says that it has; 0 where it does not.
    private let told: UInt64
    /// What has been read begins there in the file.
    private var bytes: [UInt8] = []
    private var base: Int
    /// The number that the next frame should have.
    private var expected: UInt64 = 0
    private var isFirst = true

    /// Bytes of a frame at most, and bytes that are read at once.
    private static let (largestFrame, piece) = (16 << 20, 1 << 20)

    /// What became of a frame whose head was found.
    private enum Found: Equatable {
        case whole(end: Int)
        /// Another one begins there that is intact, or the very next one.
        case damaged(next: Int)
        /// The file ends within it, or it is longer than any is.
        case unfinished(at: Int)
    }

    init(_ file: ReadableFile, from begin: UInt64, info: FLACStreamInfo, told: UInt64) throws(MovieFileError) {
        (self.file, self.info, self.told) = (file, info, told)
        (dataEnd, base) = (begin, Int(clamping: begin))
        var place: Int? = base
        while let frame = place { place = try next(frame) }
    }

    /// Takes in what is at a place.
    ///
    /// - Returns: where it goes on; nil at the end.
    private mutating func next(_ place: Int) throws(MovieFileError) -> Int? {
        forget(before: place)
        try load(place)
        guard let frame = head(at: place) else {
            // Complete, with another file behind it.
            let isComplete = told > 0 && info.sampleCount == told
            if isComplete, bytes.dropFirst(place - base).starts(with: "fLaC".utf8) { return nil }
            return try search(from: place + 1, losing: place)
        }
        switch try scan(frame, at: place) {
        case .whole(let end):
            if isFirst { expected = frame.number }
            info.add(frame: end - place, samples: frame.blockSize)
            intactSamples += frame.blockSize
            (dataEnd, isFirst) = (UInt64(end), false)
            expected = successor(of: frame)
            return end
        case .damaged(let next):
            lose(place, before: next)
            return next
        case .unfinished(let end) where UInt64(end) < file.size:
            return try search(from: end, losing: place)
        case .unfinished where told > 0 && info.sampleCount + UInt64(frame.blockSize) == told:
            // The last one of a file that was completed.
            lose(place, before: Int(clamping: file.size))
            info.skip(samples: UInt64(frame.blockSize))
            dataEnd = file.size
            return nil
        case .unfinished:
            return nil
        }
    }

    /// Looks for a frame that is intact.
    private mutating func search(from start: Int, losing lost: Int) throws(MovieFileError) -> Int? {
        var index = start
        while true {
            forget(before: index)
            try load(index)
            guard index < base + bytes.count else { return nil }
            if let frame = head(at: index), isAlike(frame), case .whole = try scan(frame, at: index, looksOn: false) {
                lose(lost, before: index)
                return index
            }
            index += 1
        }
    }

    /// Goes through a frame: it ends where its checksum comes out, and the next one, the beginning of one, a tag or nothing follows.
    ///
    /// - Parameter looksOn: whether it is over where another intact frame begins, whatever its number.
    private mutating func scan(
        _ frame: FLACFrame, at start: Int, looksOn: Bool = true
    ) throws(MovieFileError) -> Found {
        var (sum, index, match): (UInt16, Int, Int?) = (0, start, nil)
        while index - start < Self.largestFrame {
            if base + bytes.count - index < FLACFrame.longestHead {
                try load(index)
                if base + bytes.count - index < FLACFrame.longestHead { break }
            }
            if index - start > frame.headSize {
                if sum == 0 {
                    match = index
                    if isFollowing(bytes[(index - base)...]) { return .whole(end: index) }
                } else if let other = head(at: index), isAlike(other) {
                    if other.number == successor(of: frame) { return .damaged(next: index) }
                    if looksOn, case .whole = try scan(other, at: index, looksOn: false) {
                        return .damaged(next: index)
                    }
                }
            }
            sum = CRC.sixteen(sum, bytes[index - base])
            index += 1
        }
        guard index - start < Self.largestFrame else { return .unfinished(at: index) }
        if let end = lastEnd(from: index, sum, head: start + frame.headSize) { return .whole(end: end) }
        // Behind the last sample that the file tells of anything may follow.
        if let match, info.sampleCount + UInt64(frame.blockSize) == told { return .whole(end: match) }
        return .unfinished(at: base + bytes.count)
    }

    private func successor(of frame: FLACFrame) -> UInt64 {
        frame.number + (frame.countsSamples ? UInt64(frame.blockSize) : 1)
    }

    /// Whether it belongs to this stream, as far as its head tells.
    private func isAlike(_ frame: FLACFrame) -> Bool {
        frame.channels == info.channels && (frame.bits ?? info.bits) == info.bits
            && (frame.sampleRate ?? info.sampleRate) == info.sampleRate
    }

    /// Notes what is lost. The frame behind it tells by its number how many samples that are.
    private mutating func lose(_ begin: Int, before end: Int) {
        let time = MediaTime.lasting(samples: Int(clamping: info.sampleCount), rate: info.sampleRate)
        if let frame = head(at: end), frame.number > expected {
            let missing = frame.number - expected
            let size = frame.countsSamples ? 1 : UInt64(info.usualBlock ?? frame.blockSize)
            if missing < FLACStreamInfo.maximumCount / size { info.skip(samples: missing * size) }
        }
        expected = head(at: end)?.number ?? expected
        isFirst = false
        let (from, size) = (UInt64(begin), UInt64(end - begin))
        if let last = losses.last, last.end == from {
            losses[losses.count - 1].size += size
        } else {
            losses.append(LostRange(offset: from, size: size, time: time))
        }
    }
}

/// The bytes of the file.
extension FLACScan {
    private mutating func load(_ index: Int) throws(MovieFileError) {
        while base + bytes.count - index < FLACFrame.longestHead {
            let more = try file.read(upTo: Self.piece, at: UInt64(base + bytes.count))
            guard !more.isEmpty else { return }
            bytes += more
        }
    }

    private mutating func forget(before place: Int) {
        guard place - base > Self.piece else { return }
        bytes.removeFirst(place - base)
        base = place
    }

    private func head(at index: Int) -> FLACFrame? {
        let place = index - base
        guard place + 1 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8 else { return nil }
        return FLACFrame(bytes[place...])
    }

    /// Whether it is what may follow a frame: another one, another file, or a tag of other programs (ID3, APE, Lyrics3).
    private func isFollowing(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == 0xFF { return FLACFrame(bytes) != nil }
        return ["fLaC", "TAG", "ID3", "APETAGEX", "LYRICSBEGIN"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Where the last frame ends in the file's last bytes: with them, or where the next head begins of which not all was written.
    ///
    /// - Parameters:
    ///   - index: up to where `sum` is the checksum.
    ///   - head: where the frame's head ends.
    /// - Returns: nil where it is not whole.
    private func lastEnd(from index: Int, _ sum: UInt16, head: Int) -> Int? {
        var (sum, end) = (sum, nil as Int?)
        for place in index - base..<bytes.count {
            let isBegun = bytes[place] == 0xFF && (place + 1 == bytes.count || bytes[place + 1] & 0xFE == 0xF8)
            if sum == 0, base + place > head, isBegun { end = base + place }
            sum = CRC.sixteen(sum, bytes[place])
        }
        return sum == 0 && base + bytes.count > head ? base + bytes.count : end
    }
}
