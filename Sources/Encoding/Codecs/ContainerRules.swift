package import Errors

/// Which codec may live in which container, as one table.
///
/// It lists what GStreamer's muxers write *and* players read: qtmux has no pad for FLAC, mp4mux none for Motion
/// JPEG and PCM; mp4mux 1.22 dies of VP9; QuickTime opens no Opus; WebM is VP8, VP9, AV1, Vorbis and Opus by definition. Those
/// without a row for video hold audio alone.
package enum ContainerRules {
    static let video: [Container: Set<VideoCodec>] = [
        .mov: [.hevc, .prores, .h264, .av1, .mjpeg],
        .mp4: [.hevc, .h264, .av1],
        .mkv: [.hevc, .prores, .h264, .av1, .vp9, .mjpeg],
        .webm: [.vp9, .av1],
        .gif: [.gif],
    ]
    static let audio: [Container: Set<AudioCodec>] = [
        .mov: [.aac, .alac, .mp3, .pcm],
        .mp4: [.aac, .alac, .opus, .mp3],
        .mkv: [.aac, .opus, .mp3, .flac, .pcm],
        .webm: [.opus],
        .m4a: [.aac, .alac, .mp3],
        .wav: [.pcm],
        .flac: [.flac],
        .mp3: [.mp3],
        .opus: [.opus],
        .ogg: [.opus],
        .mka: [.opus, .flac, .aac, .mp3, .pcm],
    ]

    /// Whether the container holds the codec. A copied stream is asked for by its own codec; `copy` itself may
    /// where anything is copied.
    package static func allows(_ codec: VideoCodec, in container: Container) -> Bool {
        codec == .copy && container != .gif || video[container]?.contains(codec) == true
    }

    /// Whether the container holds the codec; no audio may always be.
    package static func allows(_ codec: AudioCodec, in container: Container) -> Bool {
        codec == .none || audio[container]?.contains(codec) == true
    }

    /// Checks a movie before anything is created.
    ///
    /// - Parameters:
    ///   - rotation: degrees clockwise that a player is to rotate the video.
    /// - Throws: ``RushesError`` that names the cure.
    package static func check(
        video: VideoCodec?, audio: AudioCodec, in container: Container, rotation: Int = 0, isMirrored: Bool = false
    ) throws(RushesError) {
        if video != nil { try checkVideo(in: container) }
        if container == .gif, let video, video != .gif {
            let reason = video == .copy ? "Frames of a GIF are always encoded" : "GIF cannot hold \(video.displayName)"
            throw RushesError(
                .invalidSettings,
                "\(reason); set \(Term.preset) to gif and leave \(Term.videoCodec) out, or name the file .mov, .mp4 or .mkv"
            )
        }
        if let video, !allows(video, in: container) {
            throw RushesError(
                .invalidSettings,
                "\(container.displayName) cannot hold \(video.displayName) here; "
                    + "name the file \(files { allows(video, in: $0) }), "
                    + "or use \(Term.videoCodec) \(VideoCodec.defaults(for: container)[0].rawValue)")
        }
        if !allows(audio, in: container) {
            let instead = AudioCodec.standard(for: video, in: container)
            let homes = files { home in
                allows(audio, in: home) && (home.holdsVideo || !container.holdsVideo)
                    && (video.map { allows($0, in: home) } ?? true)
            }
            let rename = homes.isEmpty ? "" : "name the file \(homes), or "
            throw RushesError(
                .invalidSettings,
                "\(container.displayName) cannot hold \(audio.displayName) here; \(rename)use \(Term.audioCodec) \(instead.rawValue)"
            )
        }
        if rotation != 0 || isMirrored, !container.isMovieFile {
            throw RushesError(
                .invalidSettings,
                "\(container.displayName) cannot tell players to rotate or mirror the video; "
                    + "name the file .mov or .mp4, or leave \(rotation != 0 ? Term.rotation : .mirroring) out")
        }
    }

    /// Checks whether there may be video at all.
    ///
    /// - Throws: ``RushesError`` that names the cure.
    package static func checkVideo(in container: Container) throws(RushesError) {
        guard !container.holdsVideo else { return }
        throw RushesError(
            .invalidSettings,
            "\(container.displayName) holds audio alone; name the file .mov, .mp4 or .mkv, or leave the video out")
    }

    /// ".mov, .mp4 or .mkv": the endings of the containers that fit.
    private static func files(_ fits: (Container) -> Bool) -> String {
        let endings = Container.allCases.filter(fits).map { "." + $0.rawValue }
        guard let last = endings.last, endings.count > 1 else { return endings.first ?? "" }
        return endings.dropLast().joined(separator: ", ") + " or " + last
    }
}
