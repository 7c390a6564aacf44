package import Errors
package import GStreamer
import Workarounds

/// What is wanted of an audio encoder.
package struct AudioRequest: Sendable, Equatable {
    /// What is to be written.
    package var codec: AudioCodec
    /// How many are handed in.
    package var channels: Int
    /// Samples a second of the audio that is handed in.
    package var sampleRate: Int
    /// Bits per second of all channels together; `nil` is the table's.
    package var bitrate: Int?
    /// Bits of a sample, where the codec has them; `nil`: as many as there are.
    package var bitDepth: Int?
    /// What it goes into; QuickTime's muxer takes the channels of PCM without their names.
    package var container: Container

    /// - Parameter sampleRate: samples a second of the audio that is handed in.
    package init(
        codec: AudioCodec, channels: Int, sampleRate: Int, bitrate: Int? = nil, bitDepth: Int? = nil,
        container: Container = .mkv
    ) {
        self.bitDepth = bitDepth
        self.container = container
        self.codec = codec
        self.channels = channels
        self.sampleRate = sampleRate
        self.bitrate = bitrate
    }
}

/// An audio encoder that fits a request, with all its settings: one candidate of
/// ``EncoderTables/audioEncoders(for:installed:)``.
package struct AudioEncoder: Sendable, Equatable {
    /// What it writes.
    package var codec: AudioCodec
    /// The GStreamer element.
    package var element: String
    /// What the element is set to.
    package var properties: [PipelineDescription.Property]
    /// The raw formats it takes.
    package var formats: [String]
    /// The rate that it is fed with; where it differs from the request's, the audio is resampled.
    package var sampleRate: Int
    /// Channels that it is fed with.
    package var channels: Int
    /// Samples, at ``sampleRate``, that the encoder puts before the first one handed in; the file's edit list takes them
    /// away.
    package var priming: Int
    /// The element that must follow the encoder, or `nil`.
    package var parser: String?
    /// What the muxer is handed.
    package var caps: String
    /// One line for people.
    package var reason: String
    /// Bits a second that it can be asked for; `nil`: any.
    var bitrates: ClosedRange<Int>?
    /// Whether the muxer takes the channels only without their names.
    var isUnnamed = false

    /// Everything between the raw audio and the muxer.
    ///
    /// - Parameters:
    ///   - name: the encoder's own, one for each track.
    ///   - audio: what comes in, where that is known and stays so: what the encoder takes as it is needs no conversion.
    /// - Throws: ``GStreamerError`` if the table's caps are not caps.
    package func nodes(
        named name: String = "audio-encoder", for audio: Caps? = nil
    ) throws(GStreamerError) -> [PipelineDescription.Node] {
        let format = formats.count == 1 ? formats[0] : "{ \(formats.joined(separator: ", ")) }"
        // Without their number a converter (1.22) makes one channel of those that the encoder has no names for.
        let raw =
            "audio/x-raw,format=(string)\(format),layout=(string)interleaved,rate=(int)\(sampleRate),channels=(int)\(channels)"
        let wanted = try Caps(raw)
        let isFit = audio.map { $0.isFixed && $0.canIntersect(wanted) } ?? false
        var nodes: [PipelineDescription.Node] =
            isFit ? [] : [.make("audioconvert"), .make("audioresample"), .caps(wanted)]
        nodes.append(.element(element, name: name, properties: properties))
        if isUnnamed { nodes.insert(try PCMChannels.unnamed(), at: 0) }
        if let parser { nodes.append(.make(parser)) }
        nodes.append(.caps(try Caps(caps)))
        return nodes
    }
}

extension AudioEncoder {
    /// - Throws: ``RushesError`` with the cure for a bit rate that it cannot be asked for.
    package func check(bitrate: Int?) throws(RushesError) {
        guard let bitrate, let bitrates, !bitrates.contains(bitrate) else { return }
        throw RushesError(
            .invalidSettings,
            "\(codec.displayName) of \(channels) \(channels == 1 ? "channel" : "channels") at \(sampleRate) Hz has from "
                + "\(bitrates.lowerBound / 1000)k to \(bitrates.upperBound / 1000)k bits a second here; choose "
                + "\(Term.audioBitrate) among them.")
    }
}

/// Which audio encoder.
extension EncoderTables {
    /// The encoders that fit a request, best first.
    ///
    /// - Throws: ``RushesError`` with the cure if none fits.
    package func audioEncoders(for request: AudioRequest, installed: InstalledElements = .registry)
        throws(RushesError)
        -> [AudioEncoder]
    {
        let table = try table(for: request.codec)
        let there = table.encoders.filter { installed.contains($0.element) }
        guard !there.isEmpty else { throw table.missing }
        let able = there.filter { $0.channels >= request.channels }
        guard !able.isEmpty else {
            let most = there.map(\.channels).max() ?? 2
            throw RushesError(
                .invalidSettings,
                "\(table.name) holds at most \(most) channels here; use \(Term.channels) \(most), "
                    + "or \(Term.audioCodec) pcm in a .mov file"
            )
        }
        if request.bitrate != nil, !able.contains(where: \.hasBitrate) {
            throw request.codec.refusalOfBitrate
        }
        return able.map { entry in
            let bits = request.bitrate ?? entry.attributes.integer("bits-per-channel").map { $0 * request.channels }
            let rate = entry.sampleRate(near: request.sampleRate)
            let task = EncoderTask(
                purpose: .live, bitDepth: 0, control: (entry.hasBitrate ? bits : nil).map { .bitrate($0) } ?? .none,
                rate: 0, cores: 1)
            let formats = request.formats(of: entry)
            return AudioEncoder(
                codec: request.codec, element: entry.element, properties: entry.properties(for: task),
                formats: formats, sampleRate: rate, channels: request.channels,
                priming: entry.priming(sampleRate: rate),
                parser: table.parser,
                caps: caps(for: request.codec, format: formats[0], rate: rate, table),
                reason: request.codec == .pcm ? table.name : "\(table.name) with \(entry.element)",
                bitrates: entry.bitrates(channels: request.channels, sampleRate: rate),
                isUnnamed: request.codec == .pcm && request.container == .mov && request.channels > 2)
        }
    }
}

/// What a muxer is handed.
private func caps(for codec: AudioCodec, format: String, rate: Int, _ table: EncoderTable) -> String {
    switch codec {
    // Nothing encodes PCM: its element keeps the branch's shape.
    case .pcm: "audio/x-raw,format=(string)\(format),layout=(string)interleaved"
    // Without it LAME would resample what has few bits.
    case .mp3: "\(table.caps),rate=(int)\(rate)"
    default: table.caps
    }
}

extension AudioRequest {
    /// The raw formats that an encoder is fed with. PCM has any depth: WAV's is 24 bits where none is named, that of movies 16.
    fileprivate func formats(of entry: EncoderEntry) -> [String] {
        if codec == .pcm { return ["S\(bitDepth ?? (container == .wav ? 24 : 16))LE"] }
        guard let bitDepth, codec == .flac || codec == .alac else { return entry.audioFormats }
        // More bits than 16 are in the larger of two formats, of whatever size.
        return [bitDepth == 16 ? "S16LE" : entry.audioFormats[0]]
    }
}

extension EncoderEntry {
    /// The rate itself if the encoder takes it, else the next higher one, else its highest; where it takes all up to some rate, the half or the
    /// quarter of one above.
    func sampleRate(near wanted: Int) -> Int {
        let rates = sampleRates.sorted()
        if let highestRate, highestRate > 0 {
            var rate = wanted
            while rate > highestRate { rate /= 2 }
            return rate
        }
        if rates.isEmpty || rates.contains(wanted) { return wanted }
        return rates.first { $0 > wanted } ?? rates.last ?? wanted
    }
}

extension AudioEncoder {
    /// Of the element that encodes a track.
    package static func name(_ index: Int) -> String { index == 0 ? "audio-encoder" : "audio-encoder-\(index)" }
}

extension Container {
    /// Samples of the encoder's delay that an edit list is to take away: Opus and MP3 files tell theirs by themselves.
    package func priming(of codec: AudioCodec, _ encoder: AudioEncoder) -> Int {
        audioFile == nil && [.aac, .mp3].contains(codec) ? encoder.priming : 0
    }
}
