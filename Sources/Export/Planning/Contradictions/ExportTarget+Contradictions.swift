import Encoding
import Errors
import MediaTypes

extension ExportTarget {
    /// What was asked for and cannot be done: nothing that was asked for is left out without a word.
    ///
    /// - Throws: ``RushesError`` with the cure.
    func refuseContradictions() throws(RushesError) {
        try refuseWhatImagesExclude()
        try refuseWhatGIFsLack()
        let hasRate = video != .copy && video != .prores && video != .mjpeg
        if settings.targetSize != nil, !hasRate {
            throw RushesError(
                .invalidSettings,
                "A target size works only with HEVC, H.264, AV1 and VP9; leave \(Term.targetSize) out.")
        }
        if settings.targetSize != nil, settings.rateControl != .standard {
            throw RushesError(
                .invalidSettings, "\(Term.targetSize) excludes \(Term.quality) and \(Term.bitrate); give one.")
        }
        if settings.targetQuality != nil, !hasRate {
            throw RushesError(
                .invalidSettings,
                "A target quality works only with HEVC, H.264, AV1 and VP9; leave \(Term.targetQuality) out."
            )
        }
        if settings.targetQuality != nil, settings.rateControl != .standard || settings.targetSize != nil {
            throw RushesError(
                .invalidSettings,
                "\(Term.targetQuality) excludes \(Term.quality), \(Term.bitrate) and \(Term.targetSize); give one.")
        }
        if settings.chroma != nil, video == .prores {
            throw RushesError(
                .invalidSettings,
                "ProRes has the colors of its profile; use \(Term.profile) in place of \(Term.chroma).")
        }
        if audio == AudioCodec.none, case .chosen? = settings.audioTracks {
            throw RushesError(
                .invalidSettings, "\(Term.audioTrack) chooses audio that \(Term.audioCodec) none leaves out; give one.")
        }
        try refuseSettingsOfNoAudio()
        if settings.fastStart, !container.isMovieFile {
            throw RushesError(
                .invalidSettings,
                "\(container.displayName) has no index to be put in front, as QuickTime and MP4 have; leave \(Term.fastStart) out."
            )
        }
        if settings.bitDepth == 8, video == .prores {
            throw RushesError(
                .invalidSettings,
                "ProRes has 10 bits or more; leave \(Term.bitDepth) out, or choose another \(Term.videoCodec).")
        }
        if settings.parts != nil, settings.targetQuality != nil {
            throw RushesError(
                .invalidSettings,
                "\(Term.targetQuality) looks for the quality in one part; use \(Term.quality) with several of \(Term.part)."
            )
        }
        if settings.audioDelay != nil, settings.parts != nil || settings.range != nil && video == .copy {
            throw RushesError(
                .invalidSettings,
                "\(Term.audioDelay) moves the audio of all of a movie, or of one part that is encoded; export that first, and the parts from it."
            )
        }
        try refusePartsThatCannotBeCopied()
        try refuseChangesOfCopies()
        try refuseWhatFiltersExclude()
        if settings.speed != nil, settings.addedAudio != nil {
            throw RushesError(
                .invalidSettings,
                "\(Term.addedAudio) is as fast as its file, and \(Term.speed) changes the movie; add it in a second export."
            )
        }
    }

    /// What is measured in the input, or is there in its terms, and is another thing behind filters.
    private func refuseWhatFiltersExclude() throws(RushesError) {
        let others: [(Bool, Term, Term, String)] = [
            (settings.targetQuality != nil, .videoFilter, .targetQuality, "\(Term.quality)"),
            (settings.crop != nil || settings.cropsBlackBars == true, .videoFilter, .crop, "the filter crop"),
            (settings.loudness != nil, .audioFilter, .loudness, "the filter loudnorm"),
        ]
        let (video, audio) = (settings.videoFilter != nil, settings.audioFilter != nil)
        guard let (_, filter, option, cure) = others.first(where: { $0.0 && ($0.1 == .videoFilter ? video : audio) })
        else { return }
        throw RushesError(
            .invalidSettings, "\(option) is found in the input as it is before the \(filter); use \(cure) in its place."
        )
    }

    /// What is for frames that move, and what a movie of audio and an image cannot be without.
    private func refuseWhatImagesExclude() throws(RushesError) {
        guard settings.image != nil else { return }
        guard container.holdsVideo, container != .gif else {
            let lack = container == .gif ? "GIF holds no audio" : "\(container.displayName) holds audio alone"
            throw RushesError(
                .invalidSettings, "\(lack); leave \(Term.stillImage) out, or name the file .mp4, .mov or .mkv.")
        }
        guard video != .copy else {
            throw RushesError(
                .invalidSettings,
                "The image is encoded, and audio that the file can hold is copied with any \(Term.preset) but copy; choose another."
            )
        }
        guard audio != AudioCodec.none, settings.audioTracks != TrackSelection.none else {
            throw RushesError(
                .invalidSettings, "\(Term.stillImage) is shown as long as the audio, and all audio is left out.")
        }
        let others: [(Bool, Term)] = [
            (settings.crop != nil || settings.cropsBlackBars == true, .crop), (settings.rotation == .apply, .rotation),
            (settings.deinterlacing == .always, .deinterlacing), (settings.lookupTable != nil, .lookupTable),
            (settings.videoFilter != nil, .videoFilter), (settings.burntSubtitles != nil, .burntSubtitles),
            (settings.targetSize != nil, .targetSize), (settings.targetQuality != nil, .targetQuality),
        ]
        guard let option = others.first(where: \.0)?.1 else { return }
        throw RushesError(
            .invalidSettings,
            "\(option) is for the frames of a movie, and \(Term.stillImage) is one image; leave one of them out.")
    }

    private func refuseWhatGIFsLack() throws(RushesError) {
        guard container == .gif else { return }
        func isChosen(_ tracks: TrackSelection?) -> Bool { if case .chosen? = tracks { true } else { false } }
        let isQuality = if case .quality = settings.rateControl { true } else { false }
        let others: [(Bool, Term)] = [
            (settings.rateControl != .standard, isQuality ? .quality : .bitrate),
            (settings.targetSize != nil, .targetSize), (settings.targetQuality != nil, .targetQuality),
            (settings.encoderSpeed != nil, .encoderSpeed), (settings.bitDepth != nil, .bitDepth),
            (settings.chroma != nil, .chroma), (settings.addedSubtitles != nil, .addedSubtitles),
            (settings.addedAudio != nil, .addedAudio), (settings.loudness != nil, .loudness),
            (settings.channels != nil, .channels), (settings.audioFilter != nil, .audioFilter),
            (settings.sampleRate != nil, .sampleRate), (settings.audioBitDepth != nil, .audioBitDepth),
            (settings.audioDelay != nil, .audioDelay),
            (settings.audioBitrate != nil, .audioBitrate), (isChosen(settings.audioTracks), .audioTrack),
            (isChosen(settings.subtitleTracks), .subtitleTrack), (settings.audio == .copy, .audioCodec),
        ]
        if let option = others.first(where: \.0)?.1 {
            throw RushesError(
                .invalidSettings,
                "GIF holds frames of 256 colors and nothing else; leave \(option) out, or name the file .mov, .mp4 or .mkv."
            )
        }
        if let rate = settings.rate, rate.doubleValue > AnimationTiming.fastest {
            throw RushesError(
                .invalidSettings,
                "Players show a GIF of more than 50 frames a second at 10; choose a \(Term.frameRate) of at most 50.")
        }
    }

    /// All audio is left out, and something is to be done to it.
    private func refuseSettingsOfNoAudio() throws(RushesError) {
        let (isLeftOut, hasNone) = (settings.audioTracks == TrackSelection.none, audio == AudioCodec.none)
        if settings.addedAudio != nil, hasNone {
            throw RushesError(
                .invalidSettings,
                "\(Term.audioCodec) none leaves all audio out; to replace the input's, use \(Term.audioTrack) none with \(Term.addedAudio)."
            )
        }
        guard isLeftOut || hasNone, settings.addedAudio == nil else { return }
        let codec: Term? = settings.audio == .preset || hasNone ? nil : .audioCodec
        let changes: [(Bool, Term)] = [
            (settings.loudness != nil, .loudness), (settings.channels != nil, .channels),
            (settings.audioFilter != nil, .audioFilter), (settings.audioBitrate != nil, .audioBitrate),
            (settings.sampleRate != nil, .sampleRate), (settings.audioBitDepth != nil, .audioBitDepth),
            (settings.audioDelay != nil, .audioDelay),
        ]
        let option = changes.first(where: \.0)?.1 ?? codec
        guard let option else { return }
        throw RushesError(
            .invalidSettings, "\(option) is for audio, and all audio is left out; leave \(option) out.")
    }

    /// Copied parts begin between key frames, which only an edit list can show.
    private func refusePartsThatCannotBeCopied() throws(RushesError) {
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

    private func refuseChangesOfCopies() throws(RushesError) {
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
}

extension ExportSettings {
    /// What only an encoder can do to a frame, and the setting that asks for it.
    fileprivate var changesOfVideo: [(name: String, setting: Term)] {
        let control: Term? =
            switch rateControl {
            case .standard: nil
            case .quality: .quality
            case .bitrate: .bitrate
            }
        let changes: [(Bool, String, Term)] = [
            (size != nil || scale != nil, "size", .size),
            (crop != nil || cropsBlackBars == true, "edges", .crop),
            (rate != nil, "rate", .frameRate), (rotation == .apply, "turn", .rotation),
            (deinterlacing == .always, "interlacing", .deinterlacing),
            (control != nil, "quality", control ?? .quality), (encoderSpeed != nil, "encoding", .encoderSpeed),
            (bitDepth != nil, "depth", .bitDepth),
            (chroma != nil, "colours", .chroma), (lookupTable != nil, "colors", .lookupTable),
            (burntSubtitles != nil, "frames", .burntSubtitles), (videoFilter != nil, "frames", .videoFilter),
        ]
        return changes.compactMap { isWanted, name, setting in isWanted ? (name, setting) : nil }
    }

    /// Subtitles alone have nothing that settings of video and audio could change.
    ///
    /// - Throws: ``RushesError`` that names the first of them.
    func refuseAllButSubtitles(in name: String) throws(RushesError) {
        let others: [(Bool, Term)] = [
            (videoCodec != nil, .videoCodec), (profile != nil, .profile), (targetQuality != nil, .targetQuality),
            (targetSize != nil, .targetSize), (audioFilter != nil, .audioFilter), (audioBitrate != nil, .audioBitrate),
            (deinterlacing != .automatic, .deinterlacing), (speed != nil, .speed),
            (image != nil, .stillImage), (audio != .preset, .audioCodec), (channels != nil, .channels),
            (loudness != nil, .loudness),
            (sampleRate != nil, .sampleRate), (audioBitDepth != nil, .audioBitDepth), (audioDelay != nil, .audioDelay),
            (audioTracks != nil, .audioTrack), (addedSubtitles != nil, .addedSubtitles),
            (addedAudio != nil, .addedAudio), (reencodes, .reencoded),
            (fastStart, .fastStart),
        ]
        let option = changesOfVideo.first?.setting ?? others.first { $0.0 }?.1
        guard let option else { return }
        throw RushesError(
            .invalidSettings, "\(name) holds subtitles alone; leave \(option) out, or name the file .mov, .mp4 or .mkv."
        )
    }
}
