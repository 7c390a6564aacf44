import MediaTypes

/// An MP3 file: an ID3 tag, a frame without audio that says how much follows, then the frames.
struct MP3Layout: AudioFileLayout {
    private(set) var sampleRate: Int
    private(set) var audioSize: UInt64 = 0
    /// Of the audio that was encoded, without what the encoder put around it.
    private(set) var sampleCount = 0
    private var summary: MP3Summary?
    /// Of the packet that is being written: its header, bytes, samples that were encoded into it.
    private var packet: (header: MPEGAudioHeader, size: Int, samples: Int)?

    /// What is left free for places that get a name while it is recorded, in bytes.
    private static let room = 16 << 10

    /// - Parameter sampleRate: where no frame says it yet.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    mutating func bytes(
        for packet: UnsafeRawBufferPointer, lasting duration: MediaTime?
    ) throws(MovieFileError) -> [UInt8] {
        let bytes = Array(packet)
        guard let header = MPEGAudioHeader(bytes[...]), header.size != nil else {
            throw .unsupported(reason: "its MP3 is damaged")
        }
        if summary == nil { summary = MP3Summary(firstFrame: bytes) }
        guard let summary, header.isAlike(summary.header) else {
            throw .unsupported(reason: "its MP3 changes its sample rate or its channels")
        }
        sampleRate = header.sampleRate
        let samples = duration.map { Int(($0.seconds * Double(header.sampleRate)).rounded()) }
        self.packet = (header, bytes.count, samples ?? Int(header.samplesPerFrame))
        return bytes
    }

    mutating func add(written: Int) {
        guard let packet, written == packet.size else { return }
        audioSize += UInt64(written)
        sampleCount += packet.samples
        summary?.add(frame: packet.size)
    }

    func head(_ attributes: AudioFileAttributes, tailSize: Int) -> [UInt8] {
        let end = MediaTime.lasting(samples: sampleCount, rate: sampleRate)
        let tag = ID3TagBytes(attributes, end: end, size: ID3TagBytes(attributes.metadata).count + Self.room)
        return tag.bytes + (summary?.bytes(samples: sampleCount) ?? [])
    }

    func tail(_ attributes: AudioFileAttributes) -> [UInt8] { [] }
}
