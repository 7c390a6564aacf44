import Foundation
import TestSupport
import Testing

extension Judge {
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

    /// A packet as ffprobe reads it, its times those of the movie, after all edits.
    struct Packet: Decodable {
        var codec_type: String
        var stream_index: Int
        var pts_time: String?
        var dts_time: String?
        var size: String
        /// Where it begins in the file.
        var pos: String?
        var data_hash: String
        var flags: String

        var presentation: Double { pts_time.flatMap(Double.init) ?? .nan }
        var decoding: Double { dts_time.flatMap(Double.init) ?? .nan }
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
        fileprivate var packets: [Packet]

        var video: Stream? { streams.first { $0.codec_type == "video" } }
        var audio: Stream? { streams.first { $0.codec_type == "audio" } }
    }

    private static let probes = Made<Question, Probe>()

    static func ffprobe(_ url: URL) async throws -> Probe {
        try await probes.value(Question([], about: url)) {
            let result = try await Tool.inTurn(
                "ffprobe",
                [
                    "-v", "error", "-show_streams", "-show_format", "-show_chapters", "-show_packets",
                    "-show_data_hash",
                    "md5", "-of", "json=compact=1", url.path,
                ])
            guard result.status == 0 else { throw ToolError.failed(result) }
            return try JSONDecoder().decode(Probe.self, from: result.output)
        }
    }

    /// All packets of a movie, stream by stream.
    static func allPackets(_ url: URL) async throws -> [[Packet]] {
        Dictionary(grouping: try await ffprobe(url).packets, by: \.stream_index).sorted { $0.key < $1.key }.map(\.value)
    }

    /// Expects two movies to hold the same packets at the same times.
    static func expectSamePackets(
        _ url: URL, _ other: URL, kinds: Set<String> = ["video", "audio", "subtitle"], tolerance: Double = 0.00002,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let streams = try await allPackets(url).filter { kinds.contains($0[0].codec_type) }
        let others = try await allPackets(other).filter { kinds.contains($0[0].codec_type) }
        #expect(streams.map { $0[0].codec_type } == others.map { $0[0].codec_type }, sourceLocation: sourceLocation)
        for (stream, other) in zip(streams, others) {
            #expect(stream.map(\.data_hash) == other.map(\.data_hash), sourceLocation: sourceLocation)
            #expect(stream.map(\.flags) == other.map(\.flags), sourceLocation: sourceLocation)
            let distances = zip(stream, other).map {
                max(abs($0.presentation - $1.presentation), abs($0.decoding - $1.decoding))
            }
            #expect(
                distances.allSatisfy { $0 < tolerance }, "up to \(distances.max() ?? .nan) s apart",
                sourceLocation: sourceLocation)
        }
    }
}
