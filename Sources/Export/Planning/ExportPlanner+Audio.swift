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
}
