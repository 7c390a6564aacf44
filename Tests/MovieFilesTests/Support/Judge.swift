import Foundation
import Testing

/// What other people's programs say about a movie.
enum Judge {
    /// Decodes everything, and expects neither an error nor a word of warning but for lines that hold `excused`.
    static func decodesWithoutAWord(
        _ url: URL, _ comment: Comment? = nil, excused: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try Tool.run("ffmpeg", "-v", "warning", "-xerror", "-i", url.path, "-f", "null", "-")
        let words = result.errors.split(separator: "\n").filter { line in excused.map { !line.contains($0) } ?? true }
        #expect(result.status == 0, comment, sourceLocation: sourceLocation)
        #expect(words == [], comment, sourceLocation: sourceLocation)
    }

    /// Decodes everything with GStreamer, which has a demuxer of its own.
    static func playsInGStreamer(_ url: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try Tool.run(
            "gst-launch-1.0", "-q", "filesrc", "location=\(url.path)", "!", "qtdemux", "name=d",
            "d.video_0", "!", "queue", "!", "decodebin", "!", "fakesink",
            "d.audio_0", "!", "queue", "!", "decodebin", "!", "fakesink")
        #expect(result.status == 0, sourceLocation: sourceLocation)
        #expect(!result.errors.contains("ERROR"), "\(result.errors)", sourceLocation: sourceLocation)
    }

    struct Stream: Decodable {
        struct SideData: Decodable {
            var rotation: Int?
            var displaymatrix: String?
        }
        var codec_name: String?
        var codec_type: String?
        var codec_tag_string: String?
        var profile: String?
        var width: Int?
        var height: Int?
        var pix_fmt: String?
        var bits_per_raw_sample: String?
        var sample_rate: String?
        var channels: Int?
        var start_time: String?
        var duration: String?
        var nb_frames: String?
        var bit_rate: String?
        var avg_frame_rate: String?
        var r_frame_rate: String?
        var color_primaries: String?
        var color_transfer: String?
        var color_space: String?
        var color_range: String?
        var tags: [String: String]?
        var side_data_list: [SideData]?

        /// Degrees clockwise: ffprobe counts counter-clockwise.
        var clockwiseRotation: Int {
            let rotation = side_data_list?.compactMap(\.rotation).first ?? 0
            return (360 - rotation) % 360
        }

        var start: Double { start_time.flatMap(Double.init) ?? .nan }
        var length: Double { duration.flatMap(Double.init) ?? .nan }
    }

    struct Probe: Decodable {
        struct Format: Decodable {
            var duration: String?
            var bit_rate: String?
            var tags: [String: String]?
        }
        struct Chapter: Decodable {
            var start_time: String
            var end_time: String
            var tags: [String: String]?
        }
        var streams: [Stream]
        var format: Format
        var chapters: [Chapter]?

        var video: Stream? { streams.first { $0.codec_type == "video" } }
        var sound: Stream? { streams.first { $0.codec_type == "audio" } }
    }

    static func ffprobe(_ url: URL) throws -> Probe {
        let json = try Tool.output(
            "ffprobe", "-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json", url.path)
        return try JSONDecoder().decode(Probe.self, from: Data(json.utf8))
    }

    /// One property of a movie as mediainfo tells it; its text is empty where there is none.
    static func mediainfo(_ url: URL, _ section: String, _ property: String) throws -> String {
        try Tool.output("mediainfo", "--Inform=\(section);%\(property)%", url.path)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func exiftool(_ url: URL, _ tag: String) throws -> String {
        try Tool.output("exiftool", "-s3", "-\(tag)", url.path).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A packet or a decoded picture: when it is presented after the first one, for how long, and its checksum.
    struct Frame: Equatable {
        var decodeTime: Int
        var presentationTime: Int
        var size: Int
        var checksum: Substring
    }

    /// The packets of one kind of stream.
    static func packets(_ url: URL, _ kind: String) throws -> [Frame] {
        try frames(url, "-map", "0:\(kind)", "-c", "copy")
    }

    /// The decoded pictures.
    static func pictures(_ url: URL) throws -> [Frame] {
        try frames(url, "-map", "0:v", "-fps_mode", "passthrough", "-enc_time_base", "-1")
    }

    private static func frames(_ url: URL, _ options: String...) throws -> [Frame] {
        let arguments = ["ffmpeg", "-v", "error", "-i", url.path] + options + ["-f", "framemd5", "-"]
        let lines = try Tool.run(arguments).output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        var frames: [Frame] = []
        for line in lines {
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count >= 6, let decode = Int(fields[1]), let presentation = Int(fields[2]),
                let size = Int(fields[4])
            else { throw Tool.Failure(description: "cannot read \(line)") }
            frames.append(
                Frame(decodeTime: decode, presentationTime: presentation, size: size, checksum: fields[5]))
        }
        // ffmpeg moves all times such that the earliest stream begins at 0; what counts here is what lies between.
        guard let first = frames.first else { return [] }
        for index in frames.indices {
            frames[index].decodeTime -= first.decodeTime
            frames[index].presentationTime -= first.presentationTime
        }
        return frames
    }

    /// The decoded sound as 32-bit floats.
    static func sound(_ url: URL) throws -> Data {
        let raw = Scratch.directory.unique("f32le")
        defer { try? FileManager.default.removeItem(at: raw) }
        _ = try Tool.output("ffmpeg", "-v", "error", "-i", url.path, "-map", "0:a", "-f", "f32le", raw.path)
        return try Data(contentsOf: raw)
    }
}
