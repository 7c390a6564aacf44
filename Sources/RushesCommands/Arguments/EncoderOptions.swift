import ArgumentParser
import Encoding
import Rushes

/// How video is encoded, where the preset is not to decide.
struct EncoderOptions: ParsableArguments {
    @Option(
        name: [.long, .short],
        help: ArgumentHelp(
            "How video is encoded, instead of the preset's way: \(EncoderOptions.names); transcode takes copy, too.",
            valueName: "codec"),
        completion: .list(VideoCodec.encoded),
        transform: { argument in
            if let codec = VideoCodec(argument: argument) { return codec }
            throw ValidationError("It is one of \(EncoderOptions.names), or copy.")
        })
    var codec: VideoCodec?

    private static let names = VideoCodec.encoded.joined(separator: ", ")

    @Option(help: ArgumentHelp("Which kind of ProRes.", valueName: "profile"))
    var profile: ProResProfile?

    @Option(help: ArgumentHelp("Constant quality, from 0 to 100.", valueName: "0-100"))
    var quality: Int?

    @Option(
        help: ArgumentHelp("Bits a second for the video, from 1k to 2000M, such as 8M or 2500k.", valueName: "rate"))
    var bitrate: BitRate?

    @Option(
        help: ArgumentHelp(
            "The encoder's own speed, such as medium; 'rushes encoders' lists them. The preset's if left out.",
            valueName: "name"))
    var encoderSpeed: String?

    @Option(help: ArgumentHelp("Bits per color; the input's if left out.", valueName: "8|10"))
    var bitDepth: Int?

    func validate() throws {
        try EncodingRules.check(
            quality: quality, bitrate: bitrate, bitDepth: bitDepth, profile: profile, codec: codec)
    }

    /// - Throws: a `ValidationError` where frames are asked to be copied, and they are made anew.
    func refuseCopy(preset: String, _ work: String) throws {
        if codec == .copy || preset == "copy" { throw ValidationError("\(work) is encoded; leave copy out.") }
    }

    func apply(to settings: inout ExportSettings) {
        (settings.videoCodec, settings.profile, settings.bitDepth) = (codec, profile, bitDepth)
        settings.encoderSpeed = encoderSpeed
        settings.rateControl =
            quality.map { .quality($0) } ?? bitrate.map { .bitrate($0.bitsPerSecond) } ?? .standard
    }
}

/// What holds for encoding options wherever they are given.
enum EncodingRules {
    /// - Throws: `ValidationError` with the cure.
    static func check(
        quality: Int?, bitrate: BitRate?, bitDepth: Int?, profile: ProResProfile?, codec: VideoCodec?
    ) throws {
        if let quality, !(0...100).contains(quality) { throw ValidationError("--quality is a number from 0 to 100.") }
        if quality != nil, bitrate != nil {
            throw ValidationError("--quality and --bitrate cannot be used together; give one.")
        }
        if let bitDepth, bitDepth != 8, bitDepth != 10 { throw ValidationError("--bit-depth is 8 or 10.") }
        if profile != nil, let codec, codec != .prores {
            throw ValidationError("--profile belongs to ProRes; use --codec prores, or leave it out.")
        }
    }

    /// The codec of what is recorded at a rate: the one that is asked for; else H.264 where the rate is more than HEVC's encoder takes.
    ///
    /// - Throws: ``RushesError`` where no encoder of the codec takes that rate.
    static func codec(_ codec: VideoCodec?, at rate: BitRate?, in container: Container) throws -> VideoCodec? {
        guard let bits = rate?.bitsPerSecond, codec != .copy, container.holdsVideo else { return codec }
        let tables = try EncoderTables(PipelineFiles.find())
        if let codec {
            try tables.check(rate: bits, of: codec)
            return codec
        }
        guard container != .webm, (try? tables.check(rate: bits, of: .hevc)) == nil else { return nil }
        try tables.check(rate: bits, of: .h264)
        return .h264
    }
}

extension VideoCodec {
    /// Names of those that encode.
    fileprivate static let encoded = tabulated.map(\.rawValue)
}
