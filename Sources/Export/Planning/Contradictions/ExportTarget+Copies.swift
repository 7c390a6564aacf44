import Encoding
import Errors
import MediaTypes

/// What is copied is not changed.
extension ExportTarget {
    /// Copied parts begin between key frames, which only an edit list can show.
    func refusePartsThatCannotBeCopied() throws(RushesError) {
        guard settings.parts != nil, video == .copy || audio == nil else { return }
        guard container == .mov || container == .mp4 else {
            let reason =
                container.isMovieFile
                ? "Several parts are not copied into \(container.displayName) here"
                : "\(container.displayName) has no edit list, which lets copied parts begin exactly"
            throw RushesError(
                .invalidSettings,
                "\(reason); name the file .mov or .mp4, or choose another \(Term.preset).")
        }
        guard video == .copy, copiesAudio else {
            throw RushesError(
                .invalidSettings,
                "Of several parts, video and audio are both copied or both encoded; choose another \(Term.preset).")
        }
    }

    /// - Throws: ``RushesError`` with the cure.
    func refuseChangesOfCopies() throws(RushesError) {
        try refuseVideoSettings()
        if video == .copy, let (name, setting) = settings.changesOfVideo.first {
            throw RushesError(
                .invalidSettings,
                "What is copied keeps its \(name); leave \(setting) out, or choose a \(Term.videoCodec) that encodes the video again."
            )
        }
        if settings.speed != nil, video == .copy && container.holdsVideo || audio == nil {
            throw RushesError(
                .invalidSettings,
                "What is copied keeps its speed; leave \(Term.speed) out, or choose another \(Term.preset) and \(Term.audioCodec)."
            )
        }
        if settings.reencodes, video == .copy, copiesAudio {
            throw RushesError(
                .invalidSettings,
                "What is copied is not encoded; leave \(Term.reencoded) out, or choose another \(Term.preset).")
        }
        guard let audio else {
            let changes: [(Bool, String, Term)] = [
                (settings.loudness != nil, "keeps its loudness", .loudness),
                (settings.audioFilter != nil, "is not filtered", .audioFilter),
                (settings.audioBitrate != nil, "keeps its bit rate", .audioBitrate),
                (settings.channels != nil, "keeps its channels", .channels),
                (settings.sampleRate != nil, "keeps its sample rate", .sampleRate),
                (settings.audioBitDepth != nil, "keeps its bits", .audioBitDepth),
            ]
            guard let (_, fact, option) = changes.first(where: \.0) else { return }
            throw RushesError(
                .invalidSettings,
                "What is copied \(fact); leave \(option) out, or choose another \(Term.audioCodec).")
        }
        if settings.audioBitrate != nil, audio != .none, !audio.hasBitrate { throw audio.refusalOfBitrate }
        if settings.audioBitDepth != nil, ![.pcm, .flac, .alac].contains(audio) {
            throw RushesError(
                .invalidSettings,
                "\(audio.displayName) has no bits a sample; leave \(Term.audioBitDepth) out, or choose \(Term.audioCodec) pcm, flac or alac."
            )
        }
    }

    /// Audio alone has nothing that settings of the video could change.
    private func refuseVideoSettings() throws(RushesError) {
        guard !container.holdsVideo else { return }
        let others: [(Bool, Term)] = [
            (settings.videoCodec != nil, .videoCodec), (settings.profile != nil, .profile),
            (settings.targetQuality != nil, .targetQuality), (settings.targetSize != nil, .targetSize),
            (settings.addedSubtitles != nil, .addedSubtitles), (settings.addedAudio != nil, .addedAudio),
        ]
        let requestedOptions = others.filter(\.0).map(\.1) + settings.changesOfVideo.map(\.setting)
        guard let option = requestedOptions.first else { return }
        throw RushesError(
            .invalidSettings,
            "\(container.displayName) holds audio alone; leave \(option) out, or name the file .mov, .mp4 or .mkv")
    }
}
