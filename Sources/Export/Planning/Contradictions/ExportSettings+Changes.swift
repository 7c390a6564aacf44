import Encoding
import Errors
import MediaTypes

/// What settings change, where that has to be left alone.
extension ExportSettings {
    /// What only an encoder can do to a frame, and the setting that asks for it.
    var changesOfVideo: [(name: String, setting: Term)] {
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
