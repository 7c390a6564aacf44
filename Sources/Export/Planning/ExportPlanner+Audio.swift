import Encoding
import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import Workarounds

struct PlannedAudio {
    var track: MoviePlan.Track
    /// Frames that the encoder puts in front, and frames a second.
    var priming = 0
    var rate: Int
    /// What its encoder is handed; nil where it is copied.
    var channels: Int?
    var reason: String
    /// The packets that its copied stream begins with, for Ogg.
    var streamHeaders: [[UInt8]] = []
}

extension ExportPlanner {
    func planAudio(
        _ opened: OpenedTrack, _ index: Int, beside video: VideoCodec?
    ) throws -> Noted<PlannedAudio> {
        let format = opened.caps.first
        let rate = format?["rate"]?.intValue ?? 48000
        // The libraries that read it rightly read the whole file, of which the video would not be copied.
        if target.video == .copy, target.takesVideo, target.container.holdsVideo,
            MisreadStreams.contain(opened.track.stream.caps)
        {
            throw RushesError(
                .invalidSettings,
                "The audio (\(opened.track.stream.caps.codecName)) can neither be copied nor decoded where video is copied: GStreamer reads it "
                    + "wrongly here; \(Term.reencoding).")
        }
        if opened.track.isCopied { return Noted(try copyAudio(opened, rate), lostPreSkip(opened)) }
        var notes = PlanNotes()
        let channels = format?["channels"]?.intValue ?? 2
        var codec = target.audio ?? .aac
        if codec == .pcm, target.container == .mov, !PCMChannels.areNamed(opened.caps, channels: channels) {
            codec = .aac
            notes.add("QuickTime holds no PCM of these \(channels) channels here, so the audio is AAC.")
        }
        let (encoder, mixed) = try encoder(
            codec, opened.caps, channels: channels, rate: target.settings.sampleRate ?? rate,
            bitDepth: notes.take(bits(opened, codec)))
        if let wanted = target.settings.sampleRate, encoder.sampleRate != wanted {
            notes.add("\(codec.displayName) has no \(wanted) samples a second here; it gets \(encoder.sampleRate).")
        } else if target.settings.sampleRate == nil, encoder.sampleRate < rate {
            notes.add(
                "The audio's \(rate) samples a second become \(encoder.sampleRate), the most that \(codec.displayName) has here."
            )
        }
        try encoder.check(bitrate: target.settings.audioBitrate)
        var nodes = try encoder.nodes(named: AudioEncoder.name(index))
        if mixed != channels {
            nodes = SpeakerLayout.mixing(opened.caps, channels: channels, to: mixed, for: encoder) + nodes
            notes.add(
                isHeld(codec, channels: channels)
                    ? "\(codec.displayName) has no place for these \(channels) channels; they are mixed down to \(mixed)."
                    : "\(codec.displayName) holds \(mixed) channels at most here; \(channels) are mixed down to them.")
        } else {
            let names = SpeakerLayout.nodes(opened.caps, channels: channels, for: encoder)
            nodes = names.nodes + nodes
            if names.isAssumed {
                notes.add("The audio's \(channels) channels have no names; the usual order was taken.")
            }
        }
        let audio = PlannedAudio(
            track: MoviePlan.Track(caps: opened.caps, nodes: nodes),
            priming: target.container.priming(of: codec, encoder),
            rate: encoder.sampleRate, channels: mixed,
            reason: encoder.reason + (target.settings.audioFilter.map { ", filtered by \($0)" } ?? ""))
        return Noted(audio, notes)
    }

    /// What is said of Opus that begins within its stream: decoders leave out of its first packet what they need to begin (RFC 7845, 4.2).
    private func lostPreSkip(_ opened: OpenedTrack) -> PlanNotes {
        guard opened.caps.first?.name == "audio/x-opus", let start = target.settings.range?.start, start > .zero else {
            return PlanNotes()
        }
        return PlanNotes([
            "Copied Opus lacks some milliseconds where the part begins, as its decoders leave out what they begin with; encode it to "
                + "lose nothing."
        ])
    }

    /// Bits of a sample to write; nil leaves it to the encoder. As many as there are: what is amplified has more than 16, as has
    /// what came out of a lossy decoder, which a movie's PCM still has 16 of.
    private func bits(_ opened: OpenedTrack, _ codec: AudioCodec) -> Noted<Int?> {
        var notes = PlanNotes()
        if let wanted = target.settings.audioBitDepth { return Noted(wanted, notes) }
        let depth = depth(opened)
        // Decoders of 24 bits give them in 32 too.
        let isPCM = opened.track.stream.caps.first?.name == "audio/x-raw"
        if [.pcm, .flac, .alac].contains(codec), isPCM, let depth, depth > 24, target.settings.loudness == nil {
            notes.add("The audio's \(depth) bits a sample become 24, as \(codec.displayName) is written here.")
        }
        guard target.container.holdsVideo else {
            return Noted(target.settings.loudness == nil && depth ?? 24 <= 16 ? 16 : 24, notes)
        }
        return Noted(codec == .pcm ? (depth ?? 16 > 16 ? 24 : 16) : nil, notes)
    }

    /// Bits of a sample that nothing was lost of; nil for what lossy codecs make of theirs.
    private func depth(_ opened: OpenedTrack) -> Int? {
        guard !properties.hasPacketTimes else { return nil }
        let decoded = properties.decoded?.audio ?? []
        let place = opened.track.stream.index
        if decoded.indices.contains(place) {
            // Those of 8 and 16 bits are handed on in more.
            guard let told = decoded[place].narrowDepth else { return 24 }
            return told > 0 ? told : nil
        }
        guard
            ["audio/x-raw", "audio/x-flac", "audio/x-alac", "audio/x-wavpack"].contains(
                opened.track.stream.caps.first?.name)
        else { return nil }
        return opened.caps.first?["format"]?.stringValue.map { RawAudio.bits($0) }
    }

    /// The first encoder that holds the channels and has names for them, else the one that most of them can be mixed down for.
    private func encoder(
        _ codec: AudioCodec, _ caps: Caps, channels: Int, rate: Int, bitDepth: Int?
    ) throws -> (AudioEncoder, channels: Int) {
        var refusal: (any Error)?
        for count in [channels] + (1..<max(1, min(channels, 9))).reversed() {
            do {
                let request = AudioRequest(
                    codec: codec, channels: count, sampleRate: rate, bitrate: target.settings.audioBitrate,
                    bitDepth: bitDepth, container: target.container)
                guard let encoder = try tables.audioEncoders(for: request).first else { continue }
                let isFit =
                    count == channels
                    ? SpeakerLayout.fit(caps, channels: count, in: encoder) != nil
                    : SpeakerLayout.mixed(caps, to: count, in: encoder) != nil
                if isFit { return (encoder, count) }
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? RushesError(.encoderMissing, "There is no encoder for \(codec.displayName).")
    }

    /// Whether any encoder of the codec holds so many channels.
    private func isHeld(_ codec: AudioCodec, channels: Int) -> Bool {
        let request = AudioRequest(codec: codec, channels: channels, sampleRate: 48000, container: target.container)
        return (try? tables.audioEncoders(for: request).first) != nil
    }

    /// The channels that audio is mixed down to at most, as the encoder holds no more; nil where it holds all that there are.
    var mostChannels: Int? {
        (1...8).reversed().first { isHeld(target.audio ?? .aac, channels: $0) }.flatMap { $0 < 8 ? $0 : nil }
    }

    private func copyAudio(_ opened: OpenedTrack, _ rate: Int) throws -> PlannedAudio {
        let caps = opened.caps
        let codec = AudioCodec(caps: caps)
        let holds = codec.map { ContainerRules.allows($0, in: target.container) }
        // qtmux (1.22) takes ADPCM and describes it so that no decoder gets anything out of it.
        // What has no times has none in a copy either.
        let isADPCM =
            caps.first?.name == "audio/x-adpcm"
            && (target.container.isMovieFile || properties.container.countsAudio(caps))
        let muxer = ElementFactory(target.container.muxer)?.templateCaps(source: false) ?? []
        // matroskamux (1.22) has a name of its own for Speex, which nothing else reads, takes no packet of TTA, and of RealAudio writes no
        // description, without which nothing decodes it.
        let isForeign =
            ["audio/x-speex", "audio/x-tta", "audio/x-pn-realaudio", "audio/x-sipro"].contains(caps.first?.name)
            || MisreadStreams.contain(caps)
        // Decoders (1.22) have two channels of it at most; where there are more, libavcodec decodes them.
        let isCompanded = ["audio/x-alaw", "audio/x-mulaw"].contains(caps.first?.name)
        let isVorbis = caps.first?.name == "audio/x-vorbis"
        let mayBeOther = target.container.audioFile == nil || target.container == .ogg && isVorbis
        let isLATM = LATMFrames.isLATM(caps)
        let isTaken = muxer.contains { $0.canIntersect(caps) }
        let pcm = CopiedPCM(caps, in: target.container, muxer: muxer)
        let isOtherPCM = codec == .pcm && pcm == nil
        // Of more than two channels only the stream itself tells which is which.
        let isHeadless =
            target.container.isOgg && caps.streamHeaders.isEmpty
            && (isVorbis || caps.first?["channels"]?.intValue ?? 2 > 2)
        guard !isADPCM, !isForeign, !isLATM, !isOtherPCM, !isHeadless, holds ?? (mayBeOther && isTaken) else {
            // What nothing decodes cannot be encoded either.
            var other = AudioCodec.none
            if codec == .pcm, ContainerRules.allows(.pcm, in: target.container) {
                other = .pcm
            } else if codec == .pcm || isCompanded || ElementFactory.hasDecoder(for: opened.track.stream.caps) {
                other = AudioCodec.standard(for: nil, in: target.container)
            }
            let cure =
                other == .none
                ? "leave it out with \(Term.audioCodec) none" : "use \(Term.audioCodec) \(other.rawValue)"
            let name =
                opened.track.told.codec.map { "\($0), which is decoded here" }
                ?? "\(codec?.displayName ?? caps.codecName)\(isLATM ? " in LATM" : "")"
            // Matroska holds nearly all there is; what is missing is who puts it there.
            let isMatroska = codec == nil && !isLATM && [.mkv, .mka].contains(target.container)
            throw RushesError(
                .invalidSettings,
                (isMatroska
                    ? "The audio (\(name)) cannot be copied into \(target.container.displayName) here"
                    : "\(target.container.displayName) cannot hold the audio as it is (\(name))")
                    + "; \(cure), or choose another ending.")
        }
        var nodes: [PipelineDescription.Node] = []
        switch codec {
        case .aac:
            // AAC of MPEG-2, as an ADTS header may call it, is AAC LC of MPEG-4 (ISO/IEC 14496-3, 1.A.2.2), of which alone muxers (1.22) know.
            let isOlder = caps.first?["mpegversion"]?.intValue == 2
            nodes = [.make("aacparse"), .caps(try Caps("audio/mpeg,mpegversion=\(isOlder ? 2 : 4),stream-format=raw"))]
            if isOlder { nodes.append(.make("capssetter", ["caps": .caps(try Caps("audio/mpeg,mpegversion=4"))])) }
            nodes += EightAACChannels.nodes(caps)
        // It has other lengths of packets than their demuxer, which knows where the audio ends.
        case .opus:
            // Of packets of several streams it (1.22) may hand on a part; the muxer of MP4 needs it to leave the headers out.
            let isSurround = caps.first?["channel-mapping-family"]?.intValue ?? 0 > 0
            let isWhole = target.container.isOgg || target.container.isMatroska && isSurround
            nodes = isWhole ? [] : [.make("opusparse")]
        case .pcm: nodes = pcm?.nodes ?? []
        default: break
        }
        // What lies before the movie's beginning only primes the decoder.
        let isThere = target.settings.range.map { $0.start == .zero } ?? true
        let first = opened.first.movieTime.map { target.container.isMovieFile ? $0 : $0 - opened.track.delay }
        let early = isThere ? min(.zero, first ?? .zero) : .zero
        let priming = codec == .aac || codec == .mp3 ? Int((-early.seconds * Double(rate)).rounded()) : 0
        return PlannedAudio(
            track: MoviePlan.Track(caps: caps, nodes: nodes), priming: priming, rate: rate,
            reason: opened.track.told.codec.map { "\($0) is decoded and kept as PCM" }
                ?? "\(codec?.displayName ?? caps.codecName) is copied as it is",
            streamHeaders: streamHeaders(caps, codec, early: early))
    }

    /// What a copied stream begins with in Ogg. QuickTime's demuxer hands out none of Opus: how much only primes its decoder is
    /// what lies before the movie's beginning.
    private func streamHeaders(_ caps: Caps, _ codec: AudioCodec?, early: MediaTime) -> [[UInt8]] {
        guard codec == .opus, caps.streamHeaders.isEmpty else { return caps.streamHeaders }
        var head = OpusHead(
            channels: caps.first?["channels"]?.intValue ?? 2, sampleRate: caps.first?["rate"]?.intValue ?? 48_000)
        if early < .zero { head.preSkip = Int((-early.seconds * 48_000).rounded()) }
        return [head.bytes]
    }
}
