import MediaTypes

/// What a WAV file lacks whose recorder died: sizes in its head, and perhaps whole samples at its end.
struct WaveRecovery: AudioFileRecovery {
    /// Where the audio that is kept ends.
    let dataEnd: UInt64
    let losses: [LostRange]
    let sampleCount: Int
    let duration: MediaTime
    private let dataPlace: UInt64
    private let hasSpace: Bool

    static func isOne(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        let head = try file.read(upTo: 12, at: 0)
        return ["RIFF", "RF64"].contains(name(head, at: 0)) && name(head, at: 8) == "WAVE"
    }

    private static func name(_ bytes: [UInt8], at place: Int) -> String {
        String(decoding: bytes.dropFirst(place).prefix(4), as: UTF8.self)
    }

    /// What the file says that it has behind its first eight bytes.
    private static func riffSize(_ file: ReadableFile, _ large: [UInt8]?) throws(MovieFileError) -> UInt64 {
        let size = try file.read(upTo: 8, at: 0).little(UInt32.self, at: 4) ?? 0
        guard size == .max, let told = large?.little(UInt64.self, at: 0) else { return UInt64(size) }
        return told
    }

    /// Whether a chunk lies there, of whatever program: its name can be printed, and the file holds all of it. Samples are not so.
    private static func isChunk(at place: UInt64, in file: ReadableFile) throws(MovieFileError) -> Bool {
        let head = try file.read(upTo: 8, at: place)
        guard head.count == 8, let size = head.little(UInt32.self, at: 4) else { return false }
        // One of these may be cut off itself.
        if ["cue ", "LIST", "list", "id3 ", "bext", "iXML"].contains(name(head, at: 0)) { return true }
        return head[..<4].allSatisfy { (0x20...0x7E).contains($0) } && UInt64(size) <= file.size - place - 8
    }

    /// Chunks before the audio at most.
    private static let mostChunks = 100

    /// - Throws: `nothingToRecover` where the sizes are right, `noSamples`, `unsupported` for what is no such file.
    init(_ file: ReadableFile) throws(MovieFileError) {
        var place: UInt64 = 12
        var (frameSize, rate, large): (Int, Int, [UInt8]?) = (0, 0, nil)
        var (dataPlace, dataSize): (UInt64, UInt64) = (0, 0)
        var hasSpace = false
        for _ in 0..<Self.mostChunks {
            let head = try file.read(upTo: 48, at: place)
            guard head.count >= 8, let size = head.little(UInt32.self, at: 4) else { break }
            switch Self.name(head, at: 0) {
            case "JUNK" where place == UInt64(WaveLayout.largeSizesPlace) && size >= WaveLayout.largeSizesSize:
                hasSpace = size == WaveLayout.largeSizesSize
            case "ds64":
                large = Array(head.dropFirst(8))
                hasSpace = size == WaveLayout.largeSizesSize
            case "fmt ":
                rate = Int(head.little(UInt32.self, at: 12) ?? 0)
                frameSize = Int(head.little(UInt16.self, at: 20) ?? 0)
            case "data":
                (dataPlace, dataSize) = (place + 8, UInt64(size))
                if size == .max, let told = large?.little(UInt64.self, at: 8) { dataSize = told }
            default: break
            }
            if dataPlace > 0 { break }
            place += 8 + UInt64(size) + UInt64(size % 2)
        }
        guard dataPlace > 0, frameSize > 0, rate > 0 else {
            throw .unsupported(reason: "its header is damaged")
        }
        let there = file.size - min(file.size, dataPlace)
        // Whatever chunks follow: the sizes agree with the file.
        let told = try Self.riffSize(file, large)
        if dataSize > 0, dataSize <= there, told <= .max - 8, told + 8 == file.size { throw .nothingToRecover }
        if dataSize < there {
            let next = dataPlace + dataSize + dataSize % 2
            let isEnd = next >= file.size ? true : try Self.isChunk(at: next, in: file)
            guard dataSize == 0 || !isEnd else { throw .nothingToRecover }
        } else if dataSize == there, there > 0 {
            throw .nothingToRecover
        }
        let whole = there / UInt64(frameSize) * UInt64(frameSize)
        guard whole > 0 else { throw .noSamples }
        (self.dataPlace, self.hasSpace) = (dataPlace, hasSpace)
        dataEnd = dataPlace + whole
        sampleCount = Int(clamping: whole / UInt64(frameSize))
        duration = .lasting(samples: sampleCount, rate: rate)
        losses = there == whole ? [] : [LostRange(offset: dataEnd, size: there - whole, time: duration)]
        guard hasSpace || dataEnd < UInt64(UInt32.max) else {
            throw .unsupported(reason: "it is longer than its header can hold")
        }
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) {
        let audioSize = dataEnd - dataPlace
        let padding = [UInt8](repeating: 0, count: Int(audioSize % 2))
        try file.write(padding, at: dataEnd)
        let sizes = WaveSizes(
            headSize: Int(clamping: dataPlace), audioSize: audioSize, sampleCount: UInt64(sampleCount),
            tailSize: padding.count)
        try file.write(Array(sizes.data.suffix(4)), at: dataPlace - 4)
        try file.write(hasSpace ? sizes.beginning : Array(sizes.beginning.prefix(12)), at: 0)
    }
}
