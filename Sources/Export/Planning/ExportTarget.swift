import AnimatedImages
import Composition
package import Encoding
import Errors
import GStreamer
import Imaging
import MovieFiles
import SystemPackage

/// What is to come out: the preset, with what the settings say otherwise.
struct ExportTarget: Sendable {
    var container: Container
    /// `copy`: as it comes.
    var video: VideoCodec
    /// Whether frames are read at all; else times count from the movie's beginning all the same.
    var takesVideo = true
    var profile: ProResProfile?
    /// `copy` is `nil`.
    var audio: AudioCodec?
    /// Whether no audio is encoded: it is copied or left out.
    var copiesAudio: Bool { audio == nil || audio == AudioCodec.none }
    /// 8 or 10; `nil` is the input's where the codec has it.
    var bitDepth: Int?
    /// `nil` is 4:2:0.
    var chroma: ExportSettings.Chroma?
    /// Whether frames are encoded with more chroma than 4:2:0, where they have it.
    var keepsChroma: Bool { video == .prores || chroma.map { $0 != .exactly(.yuv420) } ?? false }
    var speed: String?
    var control: RateControl
    /// Where a size is aimed at.
    var round: SizeTargetPass?
    var settings: ExportSettings
    /// Those of the settings, as the input has them.
    var tracks = ChosenTracks()
    /// By how much each audio track is amplified, where its loudness was asked for.
    var gains: [LoudnessGain] = []
    /// Those of the settings, read.
    var burntSubtitles: BurntSubtitles?
    /// Those of the settings, read.
    var addedSubtitles: [SubtitleFile] = []
    /// That of the settings, read.
    var lookupTable: LookupTable?
    /// That of the settings, decoded.
    var image: StillImage?
    /// Those of the settings, read.
    var filters = FilterChoice()
    /// What takes the frames, where they become an animated image.
    var animation: AnimationPass?
    /// For frames that are to stand before copied ones.
    var edge: Edge?
    /// What audio is copied for that this container holds, whatever the preset's codec is; nil: for none.
    var keptAudio: Container?
    /// Which part of the whole work this is, from 0 to 1, and that in words; nil: all of it.
    var step: (share: Range<Double>, words: String)?

    /// Frames by themselves, in the order in which they are shown, at times that count from the movie's own beginning.
    struct Edge: Sendable {
        /// When the input's first frame is shown by its index. A demuxer that has another idea of it would give others than
        /// those that are wanted.
        var firstFrame: MediaTime
    }

    /// Reads the preset, the look-up table and the filters, and loads what writes GIFs. Blocks.
    ///
    /// - Throws: ``RushesError`` for settings out of their range, a preset that does not exist, what the container cannot hold, a table that is none,
    ///   and a library that is missing.
    init(_ settings: ExportSettings, container: Container, files: PipelineFiles) throws {
        try settings.checkRanges()
        self.settings = settings
        self.container = container
        let preset = try Self.preset(settings.preset, files)
        video = settings.videoCodec ?? (settings.profile == nil ? preset.video : .prores)
        let isPresets = video == preset.video
        profile = settings.profile ?? (isPresets ? preset.profile : nil)
        bitDepth = settings.bitDepth ?? (isPresets && preset.bitDepth > 8 ? preset.bitDepth : nil)
        chroma = settings.chroma ?? (isPresets && video != .prores ? preset.chroma.map { .exactly($0) } : nil)
        speed = isPresets ? preset.speed : nil
        control =
            settings.rateControl == .standard && isPresets
            ? preset.quality.map { .quality($0) } ?? .standard : settings.rateControl
        switch settings.audio {
        case .copy: audio = nil
        case .codec(let codec): audio = codec
        case .preset where preset.video == .copy:
            let isKept = settings.loudness == nil && settings.audioBitrate == nil && settings.sampleRate == nil
            audio = isKept ? nil : .standard(for: nil, in: container)
        case .preset:
            let fits = isPresets && container.holdsVideo && ContainerRules.allows(preset.audio, in: container)
            audio = fits ? preset.audio : .standard(for: video, in: container)
        }
        try ContainerRules.check(
            video: container.holdsVideo ? video : nil, audio: audio ?? .none, in: container)
        try refuseContradictions()
        if let speed = settings.encoderSpeed, video != .copy {
            try EncoderTables(files).check(speed: speed, of: video, for: .export)
        }
        if case .bitrate(let rate) = settings.rateControl, video != .copy {
            try EncoderTables(files).check(rate: rate, of: video)
        }
        if container == .gif { _ = try AnimationLibrary.find() }
        filters = try FilterChoice(settings)
        lookupTable = try settings.lookupTable.map { path throws(RushesError) in try LookupTable(file: path) }
    }

    /// How many times as fast as the input.
    var tempo: Double { settings.speed ?? 1 }

    /// The constant rate of the frames; nil: each of the input's is shown. Of what plays faster, so many stay as the input has a second.
    ///
    /// - Parameter own: the input's; nil where nothing tells.
    func rate(of own: Fraction?) -> Fraction? { settings.rate ?? (tempo > 1 ? own : nil) }

    /// Whether frames are turned upright, as somebody asked for it or the container cannot tell players to.
    var turnsFrames: Bool { settings.rotation == .apply || !container.isMovieFile }

    /// A built-in preset by its name, or the file of that path.
    ///
    /// - Throws: ``RushesError`` where there is none; ``GStreamerError`` for a file that cannot be read.
    static func preset(_ name: String, _ files: PipelineFiles) throws -> EncodingPreset {
        if name.contains("/") || name.hasSuffix(".gep") { return try EncodingPreset(path: FilePath(name)) }
        guard files.presets().contains(name) else {
            let codecs = try EncoderTables(files).encodableCodecs()
            if codecs.contains(where: { $0.speeds.contains(name) }) {
                throw RushesError(
                    .invalidSettings,
                    "“\(name)” is not a preset but an encoder speed; choose it with \(Term.encoderSpeed).")
            }
            throw RushesError(
                .invalidSettings,
                "There is no preset “\(name)”; there are \(files.presets().joined(separator: ", ")), or a path to a .gep."
            )
        }
        return try files.preset(name)
    }
}

extension ExportSettings {
    /// What a name of ``preset`` stands for.
    ///
    /// - Throws: ``RushesError`` where there is none; ``GStreamerError`` for a file that cannot be read.
    package static func preset(_ name: String) throws -> EncodingPreset {
        try ExportTarget.preset(name, PipelineFiles.find())
    }
}
