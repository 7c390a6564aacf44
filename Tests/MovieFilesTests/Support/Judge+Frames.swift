import Foundation
import TestSupport

/// What ffmpeg reads and decodes, frame by frame.
extension Judge {
    /// A packet or a decoded frame: when it is presented after the first one, for how long, and its checksum.
    struct Frame: Equatable {
        var decodeTime: Int
        var presentationTime: Int
        var size: Int
        var checksum: Substring
    }

    /// The packets of one kind of stream, "v" or "a", or of the stream of a number.
    static func packets(_ url: URL, _ kind: String) async throws -> [Frame] {
        // Those of all streams at once, as most tests ask for video and audio.
        let text = try await ask(
            "ffmpeg", ["-nostdin", "-v", "error", "-i"], url,
            ["-map", "0:v?", "-map", "0:a?", "-c", "copy", "-f", "framemd5", "-"]
        ).text
        // "#media_type 0: video"
        let kinds = text.split(separator: "\n").filter { $0.hasPrefix("#media_type ") }.map {
            $0.split(separator: " ")[2]
        }
        guard let index = Int(kind) ?? kinds.firstIndex(where: { $0.hasPrefix(kind) }) else {
            throw Unreadable(line: "no stream of \(kind) in \(url.path)")
        }
        return try frames(text, stream: index)
    }

    /// The decoded frames.
    static func frames(_ url: URL) async throws -> [Frame] {
        try await frames(
            ask(
                "ffmpeg", ["-nostdin", "-v", "error", "-i"], url,
                ["-map", "0:v", "-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "framemd5", "-"]
            ).text, stream: 0)
    }

    private static func frames(_ text: String, stream: Int) throws -> [Frame] {
        var frames: [Frame] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            guard fields.count >= 6, let index = Int(fields[0]), let decode = Int(fields[1]),
                let presentation = Int(fields[2]), let size = Int(fields[4])
            else { throw Unreadable(line: String(line)) }
            guard index == stream else { continue }
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

    private struct Unreadable: Error {
        var line: String
    }

    /// A decoded frame: its checksum, and when it is shown in seconds of the movie.
    struct ShownFrame: Equatable {
        var time: Double
        var checksum: Substring
    }

    static func shownFrames(_ url: URL) async throws -> [ShownFrame] {
        try await decoded(url).frames
    }

    /// The decoded audio of a track as 32-bit floats; no bytes where there is none.
    static func audio(_ url: URL, _ track: Int = 0) async throws -> Data {
        let audioTracks = try await decoded(url).audioTracks
        return track < audioTracks.count ? audioTracks[track] : Data()
    }

    private struct Decoded: Sendable {
        var frames: [ShownFrame]
        var audioTracks: [Data]
    }

    private static let decoded = Made<Question, Decoded>()

    /// Video and audio of all tracks by one run of ffmpeg.
    private static func decoded(_ url: URL) async throws -> Decoded {
        let streams = try await ffprobe(url).streams
        let hasVideo = streams.contains { $0.codec_type == "video" }
        let tracks = streams.count { $0.codec_type == "audio" }
        return try await decoded.value(Question([], about: url)) {
            let files = (0..<tracks).map { _ in Scratch.directory.unique("f32le") }
            defer { for file in files { try? FileManager.default.removeItem(at: file) } }
            let frames = [
                "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-f", "framemd5", "-",
            ]
            let audioTracks = files.enumerated().flatMap {
                ["-map", "0:a:\($0.offset)", "-f", "f32le", $0.element.path]
            }
            let result = try await Tool.inTurn(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-copyts", "-i", url.path] + (hasVideo ? frames : []) + audioTracks)
            guard result.status == 0 else { throw ToolError.failed(result) }
            let lines = result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            return Decoded(
                frames: lines.map { line in
                    let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
                    return ShownFrame(time: (Double(fields[2]) ?? .nan) / 90_000, checksum: fields[5])
                }, audioTracks: try files.map { try Data(contentsOf: $0) })
        }
    }
}
