import MediaTypes

/// What a FLAC file lacks whose recorder died: how long it is, and perhaps a whole frame at its end.
///
/// What is damaged among its frames stays where it is: players pass over it to the next frame of the same recording, whose number tells
/// them when it is played.
struct FLACRecovery: AudioFileRecovery {
    /// Where the last whole frame ends.
    let dataEnd: UInt64
    let losses: [LostRange]
    let sampleCount: Int
    private let info: FLACStreamInfo
    var duration: MediaTime { .lasting(samples: Int(clamping: info.sampleCount), rate: info.sampleRate) }

    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        try file.read(upTo: 4, at: 0).elementsEqual("fLaC".utf8)
    }

    /// - Throws: `nothingToRecover` where it has as many samples as it says, whatever lies behind them, `damaged` where some of them are
    ///   lost, `noSamples`, `unsupported` for what is no such file.
    init(_ file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
        guard head.count == FLACStreamInfo.place + FLACStreamInfo.size, head[4] & 0x7F == 0,
            let begin = try FLACStreamInfo.framesPlace(file)
        else {
            throw .unsupported(reason: "its header is damaged")
        }
        let format = head[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var info = FLACStreamInfo()
        (info.sampleRate, info.channels) = (Int(format >> 44), Int(format >> 41 & 7) + 1)
        info.bits = Int(format >> 36 & 31) + 1
        let told = format & 0xF_FFFF_FFFF
        let scan = try FLACScan(file, from: begin, info: info, told: told)
        guard scan.intactSamples > 0 else { throw .noSamples }
        if told == scan.info.sampleCount {
            // But for a frame that was begun, what is behind it is another program's.
            let rest = try file.read(upTo: 2, at: scan.dataEnd)
            guard rest.first == 0xFF, rest.count == 1 || rest[1] & 0xFE == 0xF8 else {
                guard let first = scan.losses.first else { throw .nothingToRecover }
                throw .lost(at: first.time)
            }
        }
        (dataEnd, self.info, sampleCount) = (scan.dataEnd, scan.info, scan.intactSamples)
        let end = MediaTime.lasting(samples: Int(clamping: scan.info.sampleCount), rate: info.sampleRate)
        let rest = LostRange(offset: scan.dataEnd, size: file.size - min(file.size, scan.dataEnd), time: end)
        losses = scan.losses + (rest.size > 0 ? [rest] : [])
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) {
        try file.write(info.bytes, at: UInt64(FLACStreamInfo.place))
    }
}
