import MediaTypes

/// What an MP3 file lacks whose recorder died: how long it is, and perhaps a whole frame at its end.
struct MP3Recovery: AudioFileRecovery {
    /// Where the last whole frame ends.
    let dataEnd: UInt64
    let losses: [LostRange]
    let sampleCount: Int
    let duration: MediaTime
    private let place: UInt64
    private let summary: [UInt8]

    /// Whether it begins with a tag and a frame that says how much follows: what others write without is not known to be cut off.
    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool { try summaryPlace(file) != nil }

    /// - Throws: `nothingToRecover` where all frames are there that it tells of, `noSamples`, `unsupported` for what is no such file.
    init(_ file: ReadableFile) throws(MovieFileError) {
        guard let place = try Self.summaryPlace(file) else { throw .unsupported(reason: "its header is damaged") }
        var window = FileWindow(file)
        let head = try window.bytes(4, at: place)
        guard let size = MPEGAudioHeader(head)?.size, var summary = MP3Summary(firstFrame: Array(head)) else {
            throw .unsupported(reason: "its header is damaged")
        }
        let told = Array(try window.bytes(size, at: place))
        var (end, samples) = (place + UInt64(size), 0)
        while let header = MPEGAudioHeader(try window.bytes(4, at: end)), header.isAlike(summary.header),
            let size = header.size, end + UInt64(size) <= file.size
        {
            summary.add(frame: size)
            (end, samples) = (end + UInt64(size), samples + Int(header.samplesPerFrame))
        }
        guard samples > 0 else { throw .noSamples }
        let rate = summary.header.sampleRate
        if summary.isTold(in: told), try window.bytes(2, at: end).first != 0xFF { throw .nothingToRecover }
        let heard = summary.heard(of: samples)
        (dataEnd, sampleCount, duration) = (end, heard, .lasting(samples: heard, rate: rate))
        losses = end < file.size ? [LostRange(offset: end, size: file.size - end, time: duration)] : []
        (self.place, self.summary) = (place, summary.bytes(samples: heard))
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) { try file.write(summary, at: place) }

    private static func summaryPlace(_ file: ReadableFile) throws(MovieFileError) -> UInt64? {
        guard let size = ID3Tag.size(try file.read(upTo: ID3Tag.headSize, at: 0)) else { return nil }
        let frame = try file.read(upTo: 64, at: UInt64(size))
        guard let summary = MP3Summary(firstFrame: frame), summary.isOne(frame) else { return nil }
        return UInt64(size)
    }
}
