import Foundation

/// What ffprobe says about a file.
public enum FFProbe {
    /// The container, its streams and chapters.
    public struct Report: Decodable, Sendable {
        public var streams: [Stream]
        public var format: Format
        public var chapters: [Chapter]?

        public var video: [Stream] { streams.filter { $0.codecType == "video" } }
        public var audio: [Stream] { streams.filter { $0.codecType == "audio" } }
    }

    public struct Stream: Decodable, Sendable {
        public var index: Int
        public var codecName: String?
        public var codecType: String?
        public var codecTagString: String?
        public var profile: String?
        public var width: Int?
        public var height: Int?
        public var pixFmt: String?
        public var colorRange: String?
        public var colorSpace: String?
        public var colorTransfer: String?
        public var colorPrimaries: String?
        public var fieldOrder: String?
        public var rFrameRate: String?
        public var avgFrameRate: String?
        public var sampleRate: Number?
        public var channels: Int?
        public var channelLayout: String?
        public var timeBase: String?
        public var startTime: Number?
        public var duration: Number?
        public var bitRate: Number?
        public var nbFrames: Number?
        public var disposition: [String: Int]?
        public var tags: [String: String]?
        public var sideDataList: [SideData]?

        /// Frames per second on the average.
        public var frameRate: Double? { avgFrameRate.flatMap(Number.init(text:))?.value }
        /// The display matrix's angle as ffprobe says it: degrees counter-clockwise, -180…180.
        public var displayMatrixRotation: Double? { sideDataList?.compactMap(\.rotation).first }
    }

    public struct Format: Decodable, Sendable {
        public var formatName: String
        public var startTime: Number?
        public var duration: Number?
        public var size: Number?
        public var bitRate: Number?
        public var tags: [String: String]?
    }

    public struct SideData: Decodable, Sendable {
        public var sideDataType: String?
        public var rotation: Double?
        public var displaymatrix: String?
        /// In CIE 1931's diagram.
        public var redX: Number?
        /// In candela a square metre.
        public var maxLuminance: Number?
        public var minLuminance: Number?
        public var maxContent: Int?
        public var maxAverage: Int?
    }

    public struct Chapter: Decodable, Sendable {
        public var startTime: Number
        public var endTime: Number
        public var tags: [String: String]?
    }

    public struct Packet: Decodable, Sendable {
        public var ptsTime: Number?
        public var dtsTime: Number?
        public var durationTime: Number?
        public var size: Number?
        public var pos: Number?
        public var flags: String?
        public var isKey: Bool { flags?.contains("K") ?? false }
    }

    public struct Frame: Decodable, Sendable {
        public var ptsTime: Number?
        public var bestEffortTimestampTime: Number?
        public var pictType: String?
        public var keyFrame: Int?
        public var nbSamples: Int?
        public var colorSpace: String?
        public var colorPrimaries: String?
        public var colorTransfer: String?
    }

    /// ffprobe writes some numbers as strings and some rates as fractions.
    public struct Number: Decodable, Sendable, CustomStringConvertible {
        public var value: Double
        public var description: String { "\(value)" }

        init?(text: String) {
            let parts = text.split(separator: "/").compactMap { Double($0) }
            if parts.count == 2, parts[1] != 0 {
                value = parts[0] / parts[1]
            } else if parts.count == 1 {
                value = parts[0]
            } else {
                return nil
            }
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
                return
            }
            guard let number = Number(text: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number")
            }
            self = number
        }
    }

    /// Inspects a file; throws with ffprobe's words where it cannot be read.
    public static func inspect(_ file: String) async throws -> Report {
        try await ask(Report.self, ["-show_format", "-show_streams", "-show_chapters"], file)
    }

    /// The packets of a stream ("v:0", "a:0") in file order.
    public static func packets(_ stream: String, of file: String) async throws -> [Packet] {
        struct Answer: Decodable { var packets: [Packet] }
        return try await ask(Answer.self, ["-select_streams", stream, "-show_packets"], file).packets
    }

    /// The decoded frames of a stream in the order they are shown.
    public static func frames(_ stream: String, of file: String) async throws -> [Frame] {
        struct Answer: Decodable { var frames: [Frame] }
        return try await ask(Answer.self, ["-select_streams", stream, "-show_frames"], file).frames
    }

    private static func ask<Answer: Decodable>(_: Answer.Type, _ options: [String], _ file: String) async throws
        -> Answer
    {
        let result = try await Tool.succeed("ffprobe", ["-v", "error", "-of", "json"] + options + ["-i", file])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: result.output)
    }
}
