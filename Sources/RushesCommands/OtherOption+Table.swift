extension OtherOption {
    /// By names without dashes, those of one letter with; the first choice that the command has is told.
    static let table: [String: [Choice]] = {
        var table: [String: [Choice]] = [:]
        for (names, choices) in groups {
            for name in names.split(separator: " ") { table[String(name)] = choices }
        }
        return table
    }()

    private static func option(_ name: String, _ words: String = "") -> Choice { Choice(option: name, words: words) }
    private static func words(_ words: String) -> Choice { Choice(option: nil, words: words) }

    private static let groups: [(String, [Choice])] = time + frames + video + audio + files

    private static let time: [(String, [Choice])] = [
        ("ss seek start-at from", [option("--start")]),
        ("sseof", [option("--start", ": '--start -30s' for the last 30 seconds")]),
        ("to until end-at", [option("--end")]),
        ("-t stop-at length", [option("--duration")]),
        ("loop stream_loop", [words("Rushes does not repeat movies; 'rushes join' with the same file twice does")]),
    ]

    private static let frames: [(String, [Choice])] = [
        ("fps framerate frame-rate -r", [option("--rate")]),
        ("resolution scale width height -s -w -l maxwidth maxheight max-width max-height", [option("--size")]),
        ("reverse", [option("--video-filter", ": '--video-filter reverse --audio-filter areverse'")]),
        ("vf filter filter_complex lavfi", [option("--video-filter")]),
        ("rotate turn transpose", [words("'rushes rotate' turns movies")]),
        ("flip hflip mirror", [option("--video-filter", ": '--video-filter hflip'")]),
        ("decomb deint yadif bwdif detelecine", [option("--deinterlace")]),
        ("denoise nlmeans hqdn3d", [option("--video-filter", ": '--video-filter hqdn3d'")]),
        ("sharpen unsharp", [option("--video-filter", ": '--video-filter unsharp'")]),
        ("frames vframes", [words("'rushes snapshot' writes frames as images")]),
    ]

    private static let video: [(String, [Choice])] = [
        (
            "crf cq cqp qp qscale q global_quality qmin qmax rf -q",
            [option("--quality", ", from 0 to 100; higher is better")]
        ),
        ("vb b video-bitrate -b", [option("--bitrate")]),
        (
            "maxrate minrate bufsize vbr cbr abr",
            [words("Rushes does not limit the bit rate from moment to moment; --bitrate sets its mean")]
        ),
        ("c vcodec codec encoder video-codec -e", [option("--codec")]),
        ("vn no-video", [words("name the file .m4a, .mp3, .opus, .wav or .flac for the audio alone")]),
        ("preset encoder-preset cpu-used", [option("--encoder-speed")]),
        (
            "tune level encoder-level encopts x264-params x265-params x264opts",
            [words("Rushes has no options of single encoders but --encoder-speed")]
        ),
        ("pix_fmt pixel-format", [option("--bit-depth", ", with --chroma")]),
        (
            "two-pass 2pass multi-pass pass passes 2-pass",
            [option("--target-size", ", which encodes in two passes")]
        ),
        (
            "hwaccel hw-decoding enable-hw-decoding threads",
            [words("Rushes chooses hardware and threads itself; leave it out")]
        ),
        ("lut3d", [option("--lut")]),
    ]

    private static let audio: [(String, [Choice])] = [
        ("volume vol gain", [option("--gain"), option("--audio-filter", ": '--audio-filter volume=6dB'")]),
        ("normalize normalise loudnorm", [option("--loudness")]),
        ("mute an no-audio noaudio silent", [option("--audio", ": '--audio none'")]),
        ("af filter:a", [option("--audio-filter")]),
        ("acodec c:a codec:a aencoder audio-codec -E", [option("--audio")]),
        ("ab b:a -B audio-bit-rate", [option("--audio-bitrate")]),
        ("ar r:a arate samplerate", [option("--sample-rate")]),
        ("sample_fmt", [option("--audio-bit-depth")]),
        ("itsoffset audio-offset delay", [option("--audio-delay", ", for the audio")]),
        ("ac mixdown -6", [option("--channels")]),
        ("map audio-tracks -a", [option("--audio-track", ", and --subtitle-track")]),
        ("sn no-subtitles", [option("--subtitle-track", ": '--subtitle-track none'")]),
        ("subtitle subtitles sub scodec c:s codec:s", [option("--subtitle-track")]),
        ("subtitle-burned subtitle-burn burn hardsub", [option("--burn-subtitles")]),
        ("srt srt-file ssa-file", [option("--add-subtitles")]),
    ]

    private static let files: [(String, [Choice])] = [
        ("input -i", [words("name the file alone: 'rushes transcode take.mov --output take.mp4'")]),
        ("-y force replace", [option("--overwrite")]),
        ("-n no-clobber", [words("files are replaced only with --overwrite; leave it out")]),
        ("format -f muxer", [words("the ending of the file's name chooses the container")]),
        ("movflags faststart optimize -O", [option("--fast-start")]),
        ("map_metadata no-metadata", [option("--strip-metadata")]),
        ("metadata", [words("'rushes tag' writes title, date and more")]),
        ("title artist comment", [words("'rushes tag' writes title, date and more")]),
        ("cover thumbnail attached-pic poster", [option("--artwork"), words("'rushes tag --artwork' writes a cover")]),
        ("chapters chapter-file chapters-file", [words("'rushes tag --chapters' writes the chapters of a list")]),
        ("segment_time segment", [option("--split-every")]),
        ("loglevel hide_banner nostats quiet silent -v", [option("--progress", ": '--progress none'")]),
        ("preset-list -z", [option("--preset", ": '--preset help' lists all")]),
    ]
}
