import Foundation
import Testing

extension Judge {
    /// A packet as ffprobe reads it, its times those of the movie, after all edits.
    struct Packet: Decodable {
        var codec_type: String
        var stream_index: Int
        var pts_time: String?
        var dts_time: String?
        var size: String
        var data_hash: String
        var flags: String

        var presentation: Double { pts_time.flatMap(Double.init) ?? .nan }
        var decoding: Double { dts_time.flatMap(Double.init) ?? .nan }
    }

    private struct Packets: Decodable {
        var packets: [Packet]
    }

    /// All packets of a movie, stream by stream.
    static func allPackets(_ url: URL) throws -> [[Packet]] {
        let json = try Tool.output(
            "ffprobe", "-v", "error", "-show_packets", "-show_data_hash", "md5", "-of", "json", url.path)
        let packets = try JSONDecoder().decode(Packets.self, from: Data(json.utf8)).packets
        return Dictionary(grouping: packets, by: \.stream_index).sorted { $0.key < $1.key }.map(\.value)
    }

    /// Expects two movies to hold the same packets at the same times.
    static func expectSamePackets(
        _ url: URL, _ other: URL, kinds: Set<String> = ["video", "audio", "subtitle"], tolerance: Double = 0.00002,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let streams = try allPackets(url).filter { kinds.contains($0[0].codec_type) }
        let others = try allPackets(other).filter { kinds.contains($0[0].codec_type) }
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

    /// A decoded picture: its checksum, and when it is shown in seconds of the movie.
    struct Picture: Equatable {
        var time: Double
        var checksum: Substring
    }

    static func shownPictures(_ url: URL) throws -> [Picture] {
        let lines = try Tool.output(
            "ffmpeg", "-v", "error", "-copyts", "-i", url.path, "-map", "0:v:0", "-fps_mode", "passthrough",
            "-enc_time_base", "1/90000", "-f", "framemd5", "-"
        ).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.map { line in
            let fields = line.split(separator: ",").map { $0.drop { $0 == " " } }
            return Picture(time: (Double(fields[2]) ?? .nan) / 90_000, checksum: fields[5])
        }
    }

    /// Expects every program to open a movie without a word of warning, but for what exiftool says of the original too.
    static func opensWithoutAWord(
        _ url: URL, asDoes original: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try decodesWithoutAWord(url, sourceLocation: sourceLocation)
        let expected = try original.map { try exiftool($0, "Warning") } ?? ""
        #expect(try exiftool(url, "Warning") == expected, sourceLocation: sourceLocation)
        #expect(try exiftool(url, "Error") == "", sourceLocation: sourceLocation)
        #expect(try mediainfo(url, "General", "IsTruncated") == "", sourceLocation: sourceLocation)
        let found = try Tool.run("gst-discoverer-1.0", url.path)
        #expect(found.status == 0 && !found.output.contains("rror"), "\(found.output)", sourceLocation: sourceLocation)
    }
}
