import Foundation
import TestSupport

/// What ffmpeg reads and decodes, frame by frame.
extension Judge {
    /// A packet or a decoded picture: when it is presented after the first one, for how long, and its checksum.
    struct Frame: Equatable {
        var decodeTime: Int
        var presentationTime: Int
        var size: Int
        var checksum: Substring
    }

    /// The packets of one kind of stream, "v" or "a", or of the stream of a number.
    static func packets(_ url: URL, _ kind: String) async throws -> [Frame] {
        // Those of all streams at once, as most tests ask for picture and sound.
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

    /// The decoded pictures.
    static func pictures(_ url: URL) async throws -> [Frame] {
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

    /// A decoded picture: its checksum, and when it is shown in seconds of the movie.
    struct Picture: Equatable {
        var time: Double
        var checksum: Substring
    }

    static func shownPictures(_ url: URL) async throws -> [Picture] {
        try await decoded(url).pictures
    }

    /// The decoded sound of a track as 32-bit floats; no bytes where there is none.
    static func sound(_ url: URL, _ track: Int = 0) async throws -> Data {
        let sounds = try await decoded(url).sounds
        return track < sounds.count ? sounds[track] : Data()
    }

    private struct Decoded: Sendable {
        var pictures: [Picture]
        var sounds: [Data]
    }

    private static let decoded = Made<Question, Decoded>()

    /// Pictures and sound of all tracks by one run of ffmpeg.
    private static func decoded(_ url: URL) async throws -> Decoded {
        let streams = try await ffprobe(url).streams
        let hasPicture = streams.contains { $0.codec_type == "video" }
        let tracks = streams.count { $0.codec_type == "audio" }
        return try await decoded.value(Question([], about: url)) {
            let files = (0..<tracks).map { _ in Scratch.directory.unique("f32le") }
            defer { for file in files { try? FileManager.default.removeItem(at: file) } }
            let pictures = [
                "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-f", "framemd5", "-",
            ]
            let sounds = files.enumerated().flatMap { ["-map", "0:a:\($0.offset)", "-f", "f32le", $0.element.path] }
            let result = try await Tool.inTurn(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-copyts", "-i", url.path] + (hasPicture ? pictures : []) + sounds)
            guard result.status == 0 else { throw ToolError.failed(result) }
            let lines = result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            return Decoded(
                pictures: lines.map { line in
                    let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
                    return Picture(time: (Double(fields[2]) ?? .nan) / 90_000, checksum: fields[5])
                }, sounds: try files.map { try Data(contentsOf: $0) })
        }
    }
}
