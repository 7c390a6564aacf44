import Encoding
import Errors
import MediaTypes

/// What a movie of one image, or an animated one, excludes.
extension ExportTarget {
    /// What is for frames that move, and what a movie of audio and an image cannot be without.
    func refuseWhatImagesExclude() throws(RushesError) {
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

    /// What an animated image has no place for.
    ///
    /// - Throws: ``RushesError`` with the cure.
    func refuseWhatGIFsLack() throws(RushesError) {
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
}
