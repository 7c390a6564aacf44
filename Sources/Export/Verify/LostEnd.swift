import GStreamer
import MediaDecoding
import MovieFiles

/// The end of an input of which nothing came: its demuxer stopped early, without a word.
enum LostEnd {
    /// A sentence for people; `nil` where nothing is missing, or where nobody can tell.
    ///
    /// Only an index tells how long the frames and the audio are. What a stream's bytes and bit rate let one guess is no
    /// reason to call a file incomplete, nor is how long its subtitles stay.
    ///
    /// - Parameters:
    ///   - hasText: whether a stream of text may be what lasts longest.
    ///   - hasVideo: whether video was taken, which may last longer than the audio.
    ///   - hasAudio: likewise.
    ///   - written: where the output's last sample ends, in the input's time.
    static func note(
        _ properties: InputProperties, hasText: Bool, hasVideo: Bool = true, hasAudio: Bool = true, written: MediaTime,
        timingTolerance: MediaTime
    ) -> String? {
        guard let end = end(properties, hasText: hasText, hasVideo: hasVideo, hasAudio: hasAudio) else { return nil }
        // Encoders' and decoders' delays, and a frame that lasts until the next one that does not come.
        let lost = end - written
        guard lost > max(100 * .millisecond, 2 * timingTolerance, aroundMP3(properties)) else { return nil }
        let isCutOff = properties.bytes.isCutOff || properties.bytes.length?.isCutOff == true
        let reason = isCutOff ? "the file is cut off" : "the rest could not be decoded"
        return
            "The output ends \(lost.secondsToHundredths) s before the input, which lasts \(end.secondsToHundredths) s: \(reason)."
    }

    /// What encoder and decoder put in front of an MP3's audio, and what fills its last frame: 1105 samples as a rule, and less than 1152.
    private static func aroundMP3(_ properties: InputProperties) -> MediaTime {
        properties.bytes.audio?.sections.last.map { MediaTime(samples: 2304, rate: $0.rate) } ?? .zero
    }

    private static func end(_ properties: InputProperties, hasText: Bool, hasVideo: Bool, hasAudio: Bool) -> MediaTime?
    {
        switch properties.container {
        case .movie:
            let tracks =
                properties.movie.map { $0.video.prefix(hasVideo ? 1 : 0).map(\.duration) + $0.audio.map(\.duration) }
                ?? []
            return tracks.max()
        case .matroska: return hasText || !hasVideo ? nil : properties.duration.map { $0 - properties.assumedLength }
        case .wav, .flac, .musepack: return properties.duration
        case .avi, .mpegStream, .disturbedStream, .gif, .halfRateAC3, .bareStream, .bareAV1: return nil
        case .other:
            if let media = properties.decoded { return hasAudio || hasVideo ? media.duration : nil }
            let told = properties.bytes.length
            return [hasVideo ? told?.video : nil, hasAudio ? told?.audio : nil].compactMap(\.self).max()
        }
    }
}
