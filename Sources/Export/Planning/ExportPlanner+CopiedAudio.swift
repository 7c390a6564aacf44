import Encoding
import Errors
import GStreamer
import MediaDecoding
import MovieFiles
import Workarounds

/// Audio that is copied as it is.
extension ExportPlanner {
    /// - Parameter rate: of its samples, in Hz.
    /// - Throws: ``RushesError`` with the cure where the output cannot hold it.
    func copyAudio(_ opened: OpenedTrack, _ rate: Int) throws -> PlannedAudio {
        let caps = opened.caps
        let codec = AudioCodec(caps: caps)
        let muxer = ElementFactory(target.container.muxer)?.templateCaps(source: false) ?? []
        let pcm = CopiedPCM(caps, in: target.container, muxer: muxer)
        guard codec != .pcm || pcm != nil, isCopied(caps, codec, muxer) else { throw refusalToCopy(opened, codec) }
        // What lies before the movie's beginning only primes the decoder.
        let isThere = target.settings.range.map { $0.start == .zero } ?? true
        let first = opened.first.movieTime.map { target.container.isMovieFile ? $0 : $0 - opened.track.delay }
        let early = isThere ? min(.zero, first ?? .zero) : .zero
        let priming = codec == .aac || codec == .mp3 ? Int((-early.seconds * Double(rate)).rounded()) : 0
        return PlannedAudio(
            track: MoviePlan.Track(caps: caps, nodes: try pcm?.nodes ?? nodes(copying: caps, codec)), priming: priming,
            rate: rate,
            reason: opened.track.told.codec.map { "\($0) is decoded and kept as PCM" }
                ?? "\(codec?.displayName ?? caps.codecName) is copied as it is",
            streamHeaders: streamHeaders(caps, codec, early: early))
    }

    /// Whether the output holds a stream, and its muxer writes it so that it is decoded.
    private func isCopied(_ caps: Caps, _ codec: AudioCodec?, _ muxer: [Caps]) -> Bool {
        let name = caps.first?.name
        // qtmux (1.22) takes ADPCM and describes it so that no decoder gets anything out of it.
        // What has no times has none in a copy either.
        let isADPCM =
            name == "audio/x-adpcm" && (target.container.isMovieFile || properties.container.countsAudio(caps))
        // matroskamux (1.22) has a name of its own for Speex, which nothing else reads, takes no packet of TTA, and of RealAudio writes no
        // description, without which nothing decodes it.
        let isForeign =
            ["audio/x-speex", "audio/x-tta", "audio/x-pn-realaudio", "audio/x-sipro"].contains(name)
            || MisreadStreams.contain(caps)
        let isVorbis = name == "audio/x-vorbis"
        // Of more than two channels only the stream itself tells which is which.
        let isHeadless =
            target.container.isOgg && caps.streamHeaders.isEmpty
            && (isVorbis || caps.first?["channels"]?.intValue ?? 2 > 2)
        guard !isADPCM, !isForeign, !isHeadless, !LATMFrames.isLATM(caps) else { return false }
        if let codec { return ContainerRules.allows(codec, in: target.container) }
        let mayBeOther = target.container.audioFile == nil || target.container == .ogg && isVorbis
        return mayBeOther && muxer.contains { $0.canIntersect(caps) }
    }

    private func refusalToCopy(_ opened: OpenedTrack, _ codec: AudioCodec?) -> RushesError {
        let caps = opened.caps
        let isLATM = LATMFrames.isLATM(caps)
        // Decoders (1.22) have two channels of it at most; where there are more, libavcodec decodes them.
        let isCompanded = ["audio/x-alaw", "audio/x-mulaw"].contains(caps.first?.name)
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
        return RushesError(
            .invalidSettings,
            (isMatroska
                ? "The audio (\(name)) cannot be copied into \(target.container.displayName) here"
                : "\(target.container.displayName) cannot hold the audio as it is (\(name))")
                + "; \(cure), or choose another ending.")
    }

    /// What a stream passes on its way into the muxer.
    private func nodes(copying caps: Caps, _ codec: AudioCodec?) throws -> [PipelineDescription.Node] {
        switch codec {
        case .aac:
            // AAC of MPEG-2, as an ADTS header may call it, is AAC LC of MPEG-4 (ISO/IEC 14496-3, 1.A.2.2), of which alone muxers (1.22) know.
            let isOlder = caps.first?["mpegversion"]?.intValue == 2
            var nodes: [PipelineDescription.Node] = [
                .make("aacparse"), .caps(try Caps("audio/mpeg,mpegversion=\(isOlder ? 2 : 4),stream-format=raw")),
            ]
            if isOlder { nodes.append(.make("capssetter", ["caps": .caps(try Caps("audio/mpeg,mpegversion=4"))])) }
            return nodes + EightAACChannels.nodes(caps)
        // It has other lengths of packets than their demuxer, which knows where the audio ends.
        case .opus:
            // Of packets of several streams it (1.22) may hand on a part; the muxer of MP4 needs it to leave the headers out.
            let isSurround = caps.first?["channel-mapping-family"]?.intValue ?? 0 > 0
            let isWhole = target.container.isOgg || target.container.isMatroska && isSurround
            return isWhole ? [] : [.make("opusparse")]
        default: return []
        }
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
