import Errors
import GStreamer
package import SystemPackage

/// What to produce, under a name: one of `pipelines/encoding-profiles/*.gep`, or a person's own file.
///
/// The files are GStreamer's (`GstEncodingTarget`), so its own tools can use them. Which element writes a codec and how
/// it is set is the encoder tables' business; what a GStreamer profile cannot say stands in a group `[rushes]`, which
/// GStreamer passes over: `profile`, ProRes's; `speed`, one of the encoder table's; `quality`, 0 to 100; `copy`, for a
/// preset that changes the container only.
public struct EncodingPreset: Sendable, Equatable {
    /// The name, as export settings take it.
    public let name: String
    /// One line for people.
    public let summary: String
    /// That of a batch's outputs; the ending of a single output comes first.
    public let container: Container
    /// How the frame is written.
    package let video: VideoCodec
    /// For ProRes.
    package let profile: ProResProfile?
    /// 8 or 10.
    package let bitDepth: Int
    /// `nil` where the profile says no more than 4:2:0.
    package let chroma: ChromaSubsampling?
    /// How the audio is written.
    package let audio: AudioCodec
    /// Which trade of time for size, by the encoder tables' names.
    package let speed: String?
    /// Constant quality, 0 to 100; `nil` is the table's.
    package let quality: Int?

    /// The built-in presets, sorted by name.
    ///
    /// - Throws: ``RushesError`` if the environment variable `RUSHES_PIPELINES` names a folder without encoder tables, or
    ///   a preset in it that cannot be read.
    public static func all() throws -> [EncodingPreset] {
        let files = try PipelineFiles.find()
        return try files.presets().map(files.preset)
    }

    /// - Throws: ``GStreamerError`` if the file cannot be read, ``RushesError`` if it is not a movie's profile.
    package init(path: FilePath) throws {
        try self.init(KeyFile(path: path.string), name: path.stem ?? path.string)
    }

    /// - Parameter fileName: without its ending.
    init(_ file: KeyFile, name fileName: String) throws {
        let target = file["GStreamer Encoding Target"]
        name = target?["name"] ?? fileName
        summary = target?["description"] ?? name
        let streams = file.groups.filter { $0.name.hasPrefix("streamprofile-") }
        let videoStream = streams.first { $0["type"] == "video" }
        let audioStream = streams.first { $0["type"] == "audio" }
        let whole = file.groups.first { $0.name.hasPrefix("profile-") && $0["type"] == "container" }
        let own = file["rushes"]
        let isCopy = own?["copy"] == "true"
        let coded = try videoStream?["format"].flatMap { try VideoCodec(caps: Caps($0)) }
        guard let container = whole?["format"].flatMap(Container.init(format:)),
            let video = isCopy ? .copy : coded
        else {
            throw RushesError(
                .invalidSettings, "\(fileName).gep describes no movie; see the built-in presets for the form")
        }
        self.container = container
        self.video = video
        audio = try audioStream?["format"].flatMap { try AudioCodec(caps: Caps($0)) } ?? .none
        profile = own?["profile"].flatMap(ProResProfile.init(rawValue:))
        speed = own?["speed"]
        quality = own?["quality"].flatMap { Int($0) }
        let format = try videoStream?["restriction"].flatMap { try Caps($0).first?["format"]?.stringValue } ?? "I420"
        bitDepth = format.contains("_10LE") ? 10 : 8
        let chroma = ChromaSubsampling(rawFormat: format)
        self.chroma = chroma == .yuv420 ? nil : chroma
    }
}

extension PipelineFiles {
    /// A preset by its name on the command line.
    ///
    /// - Throws: ``GStreamerError`` if it cannot be read, ``RushesError`` if it is not a movie's profile.
    package func preset(_ name: String) throws -> EncodingPreset {
        try EncodingPreset(keyFile("\(Self.profiles)/\(name).gep"), name: name)
    }
}
