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
}
