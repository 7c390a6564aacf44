import Foundation
import TestSupport
import Testing

/// What parsers and decoders do.
extension Workaround {
    private static let movie = "-f lavfi -i testsrc=size=64x64:rate=10:duration=1 -pix_fmt yuv420p -c:v"

    /// The frames of ADTS, one behind the other (ISO/IEC 13818-7, 6.2).
    private static func packets(_ stream: Data) -> [Data] {
        var (packets, rest) = ([Data](), stream[...])
        while rest.count > 7 {
            let head = Array(rest.prefix(7))
            let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
            guard size > 7 else { break }
            packets.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return packets
    }

    /// A movie whose frames say what their colors are, by numbers of ITU-T H.273.
    private static func colored(_ folder: TemporaryFolder, matrix: Int) async throws -> String {
        let color = "colour_primaries=9:transfer_characteristics=16:matrix_coefficients=\(matrix)"
        return try await made(folder, "\(matrix).h264", "\(movie) libx264 -bf 0 -bsf:v h264_metadata=\(color)")
    }

    /// MatrixCoefficients (RFC 9559, 5.1.4.1.28.17) of such a movie in Matroska.
    private static func writtenMatrix(_ folder: TemporaryFolder, _ number: Int) async throws -> Data {
        let path = try await colored(folder, matrix: number)
        let line = "filesrc location=\(path) ! h264parse ! h264timestamper ! matroskamux"
        let file = try await bytes(file(folder, "mkv", line))
        let name = try #require(file.firstRange(of: [0x55, 0xB1, 0x81]))
        return file[name.upperBound...].prefix(1)
    }

    static let decoding = [
        Workaround("h264parse, the length of a frame that lasts longer than the rest: EditedFrame") { folder in
            let time = "if(gt(N\\,4)\\,N*60+600\\,N*60)"
            let path = try await made(
                folder, "long.mp4",
                "\(movie) libx264 -bf 0 -video_track_timescale 600 -bsf:v setts=time_base=1/600:pts=\(time):dts=\(time)"
            )
            let line = "-v filesrc location=\(path) ! qtdemux ! h264parse ! fakesink silent=false"
            let words = try await Tool.succeed("gst-launch-1.0", line.split(separator: " ").map(String.init)).text
            return words.contains("pts: 0:00:00.400000000, duration: 0:00:00.100000000")
        },
        Workaround("avdec_aac, the time of the first audio behind a packet without any: DecoderDelay") { folder in
            let packets = try await packets(bytes(made(folder, "a.aac", "\(second) -c:a aac")))
            // Nothing but the end of a block (ID_END).
            var empty = packets[0].prefix(7) + [0xE0]
            (empty[3], empty[4], empty[5]) = (empty[3] & 0xFC, 1, empty[5] & 0x1F)
            let path = folder.file("empty.aac")
            try Data(([empty] + packets.dropFirst(10)).joined()).write(to: URL(filePath: path))
            let (coded, decoded) = (
                try await times(path, "aacparse"), try await times(path, "aacparse ! avdec_aac")
            )
            try #require(coded.count == decoded.count + 1)
            return decoded[0] == coded[0]
        },
        Workaround("opusdec, the time of the first audio of a transport stream: DecoderDelay") {
            let path = try await made($0, "a.ts", "\(second) -c:a libopus")
            let first = try #require(try await buffers(path, "tsdemux ! opusparse ! opusdec").first)
            let times = try await times(path, "tsdemux ! opusparse ! opusdec")
            // 6.5 ms of 20 prime the decoder.
            return first.contains("duration: 0:00:00.0135") && abs(times[1] - times[0] - 0.02) < 0.001
        },
        Workaround("h264parse, a matrix that caps have no word for: CodedColors") {
            let path = try await colored($0, matrix: 8)
            return try await launch("-v filesrc location=\(path) ! h264parse ! fakesink").text
                .contains("colorimetry=(string)0:0:14:7")
        },
        Workaround("matroskamux, a matrix that caps have no word for: MatroskaColors") { folder in
            try #require(try await writtenMatrix(folder, 9) == Data([9]))
            return try await writtenMatrix(folder, 8) != Data([8])
        },
        Workaround("matroskamux, frames of other codecs: MatroskaBitmapHeader") {
            let path = try await made($0, "a.avi", "\(movie) cinepak")
            return try await errors(of: "filesrc location=\(path) ! avidemux ! matroskamux ! fakesink").contains(
                "not-linked")
        },
        Workaround("avdec_h264, an access unit without a frame: EmptyAccessUnits") { folder in
            let path = try await made(folder, "a.h264", "\(movie) libx264 -x264-params aud=1")
            // Its delimiter alone.
            let ended = try edited(path, folder, "ended.h264") { $0 += [0, 0, 0, 1, 9, 0xF0] }
            let decoder = "h264parse ! avdec_h264 max-threads=4"
            try #require(try await buffers(path, decoder).count == 10)
            return try await buffers(ended, decoder).count < 10
        },
        Workaround("vp9alphadecodebin, frames without what is transparent: StreamBranches") {
            let path = try await made(
                $0, "a.webm", "\(movie) libvpx-vp9 -cpu-used 8 -deadline realtime -metadata:s:v alpha_mode=1")
            return try await errors(of: "filesrc location=\(path) ! decodebin ! fakesink").contains(
                "Cannot handle streams without an initial alpha buffer")
        },
        Workaround("avdec_qtrle, the times of frames that repeat one: PacketTimestamps") {
            let line = "-f lavfi -i color=red:size=64x64:rate=10:duration=0.5 -c:v qtrle -pix_fmt rgb24"
            return try await times(made($0, "a.mov", line), "qtdemux ! avdec_qtrle") == [0, 0, 0, 0, 0]
        },
        Workaround("pngdec, colors of 16 bits: StillReader") {
            let path = try await made($0, "a.png", "-f lavfi -i color=red:size=16x16 -frames:v 1 -pix_fmt rgb48be")
            let line = "filesrc location=\(path) ! pngdec ! videoconvert ! video/x-raw,format=RGB"
            let frame = try await bytes(file($0, "raw", line))
            // Red, and green as well.
            return frame[0] > 240 && frame[1] > 240 && frame[2] == 0
        },
    ]
}
