import Errors
import Threads

extension Term {
    /// From now on the library's messages name the command's options and subcommands.
    ///
    /// - Parameter other: how a command calls what it has no option for.
    static func useOptions(except other: [Term: String] = [:]) {
        wording.withLock { $0 = Wording { other[$0] ?? $0.option } }
    }

    /// What a person types.
    var option: String {
        switch self {
        case .videoCodec: "--codec"
        case .audioCodec: "--audio"
        case .profile: "--profile"
        case .eachCameraCodec: "--separate-codec"
        case .eachCamera: "--also-separate"
        case .preset: "--preset"
        case .quality: "--quality"
        case .bitrate: "--bitrate"
        case .targetQuality: "--target-quality"
        case .targetSize: "--target-size"
        case .size: "--size"
        case .frameRate: "--rate"
        case .crop: "--crop"
        case .speed: "--speed"
        case .length: "--length"
        case .stamp: "--stamp"
        case .timelapseAudio: "--audio"
        case .paddedPhotos: "--fit pad"
        case .rotation: "--rotation"
        case .mirroring: "--mirror"
        case .deinterlacing: "--deinterlace"
        case .encoderSpeed: "--encoder-speed"
        case .lookupTable: "--lut"
        case .videoFilter: "--video-filter"
        case .audioFilter: "--audio-filter"
        case .stillImage: "--image"
        case .burntSubtitles: "--burn-subtitles"
        case .addedSubtitles: "--add-subtitles"
        case .addedAudio: "--add-audio"
        case .bitDepth: "--bit-depth"
        case .chroma: "--chroma"
        case .audioBitrate: "--audio-bitrate"
        case .channels: "--channels"
        case .toneMapping: "'rushes transcode --preset h264'"
        case .sampleRate: "--sample-rate"
        case .audioBitDepth: "--audio-bit-depth"
        case .audioDelay: "--audio-delay"
        case .audioTrack: "--audio-track"
        case .subtitleTrack: "--subtitle-track"
        case .fastStart: "--fast-start"
        case .loudness: "--loudness"
        case .start: "--start"
        case .end: "--end"
        case .imageTime: "--at"
        case .part: "--part"
        case .separating: "add --separate for a file of each"
        case .byCamera: " with --camera"
        case .byVideoCodec: " with --codec"
        case .bySizeAndRate: " with --size and --rate"
        case .byAddress: " with --listen ADDRESS:PORT"
        case .orNoCamera: ", and --camera none or test does without"
        case .orNoMicrophone: ", and --microphone none or test does without"
        case .overwriting: "replace it with --overwrite"
        case .resuming: "--resume"
        case .resumingBatch: "'rushes transcode --resume'"
        case .recursion: "--recursive"
        case .reencoded: "--reencode"
        case .reencoding: "encode it again, with --preset h264 --reencode"
        case .devices: "'rushes devices'"
        case .controls: "'rushes devices --controls'"
        case .activities: "'rushes activities'"
        case .pageServer: "rushes serve"
        case .recovery: "'rushes recover'"
        case .aligningByTime: "give the time, with --align 1.5s say"
        case .aligningByAudio: "find it with --align audio"
        case .transcoding: "'rushes transcode --reencode'"
        case .copying: "'rushes transcode --preset copy'"
        case .newBatch: "'rushes transcode', 'rushes compose' or 'rushes batch plan'"
        }
    }
}
