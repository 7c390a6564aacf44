import Foundation
import TestSupport
import Testing

/// What demuxers do.
extension Workaround {
    private static let movie = "-f lavfi -i testsrc=size=64x64:rate=10:duration=1 -c:v"

    /// A copy of a file in which some bytes are others.
    static func edited(
        _ path: String, _ folder: TemporaryFolder, _ name: String, _ edit: (inout Data) throws -> Void
    ) throws -> String {
        var data = try bytes(path)
        try edit(&data)
        try data.write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    /// The name of a box becomes another.
    private static func rename(_ box: String, _ name: String, _ data: inout Data) throws {
        data.replaceSubrange(try #require(data.firstRange(of: Data(box.utf8))), with: Data(name.utf8))
    }

    /// Whether flvdemux says that it names no more streams, whatever it is read with.
    private static func tellsAllNamed(_ demuxer: String, _ path: String) async throws -> Bool {
        let line = "filesrc location=\(path) ! \(demuxer) name=d d. ! queue ! fakesink d. ! queue ! fakesink"
        let log = try await launch(line, environment: ["GST_DEBUG": "flvdemux:5", "GST_DEBUG_NO_COLOR": "1"])
        try #require(log.status == 0 && log.errors.contains("created video pad"), "\(log)")
        return log.errors.contains("emitting no more pads")
    }

    static let demuxing = [
        Workaround("h264parse and h265parse, start codes of three bytes: StartCodeZeros") {
            var late = true
            for (codec, parser) in [("libx264", "h264parse"), ("libx265 -x265-params log-level=none", "h265parse")] {
                let path = try await made($0, "\(parser).ts", "\(movie) \(codec) -pix_fmt yuv420p")
                let shifted = try edited(path, $0, "\(parser)-shifted.ts") { data in
                    data = Data(ShiftedStartCodes.applied(to: Array(data)))
                }
                let wanted = try await times(path, "tsdemux ! \(parser)")
                let told = try await times(shifted, "tsdemux ! \(parser)")
                // Each has the time of the one before.
                late = late && told == wanted.prefix(1) + wanted.dropLast()
            }
            return late
        },
        Workaround("asfdemux, lengths of audio packets: WindowsMediaLengths") {
            let path = try await made($0, "a.wma", "-f lavfi -i sine=duration=1 -c:a wmav2")
            let odd = try edited(path, $0, "odd.wma") { data in
                data = try #require(MadeWindowsMedia.naming(averageLength: 14, ofStream: 1, in: data))
            }
            return try await buffers(odd, "asfdemux").allSatisfy { $0.contains("duration: 0:00:14.0") }
        },
        Workaround("mpegvideoparse, frames without a time of their own: MPEGVideoTimes") {
            let path = try await made($0, "a.mpg", "\(movie) mpeg2video -bf 2 -f vob")
            let line = "mpegpsdemux ! mpegvideoparse"
            return try await times(path, line).count < buffers(path, line).count
        },
        Workaround("matroskademux, a beginning behind the first packet: MatroskaBeginning") {
            let late = "-filter_complex [0]setpts=PTS+0.3/TB[v] -map [v] -map 1 -c:v libx264 -c:a aac"
            let path = try await made(
                $0, "a.mkv", "-f lavfi -i testsrc=size=64x64:rate=10:duration=1 -f lavfi -i sine=duration=1 \(late)")
            let ends = "d.video_0 ! queue ! fakesink d.audio_0 ! queue ! fakesink silent=false"
            let told = try await launch("-v filesrc location=\(path) ! matroskademux name=d \(ends)").text
                .split(separator: "\n").filter { $0.contains("type: segment") && $0.contains("fakesink1:sink") }
            // The frames' beginning first, then that of the audio.
            return told.count == 2 && told[1].contains("start=(guint64)0,") && !told[0].contains("start=(guint64)0,")
        },
        Workaround("flvdemux in parsebin, that all streams are named: StreamNames") {
            let path = try await made(
                $0, "a.flv", "\(second) \(movie) flv -c:a libmp3lame -ar 44100")
            try #require(try await tellsAllNamed("flvdemux", path))
            return try await !tellsAllNamed("parsebin", path)
        },
        Workaround("avidemux and decoders, times of frames that are reordered: AVIFrameTimestamps") {
            let path = try await made(
                $0, "a.avi", "-f lavfi -i testsrc=size=64x64:rate=10:duration=1.5 -c:v mpeg2video -bf 2")
            let times = try await times(path, "avidemux ! mpegvideoparse ! avdec_mpeg2video")
            return times.count == 15 && Set(times).count < 15
        },
        Workaround("qtdemux, the end of audio that is edited at its beginning: MovieHeaderEdit") {
            let path = try await made($0, "a.m4a", "\(second) -c:a aac")
            let stored = try await FFProbe.inspect(path).audio.first?.nbFrames?.value
            return try await Double(buffers(path, "qtdemux").count) < Double(#require(stored))
        },
        Workaround("qtdemux, the end of a track without edits: MovieHeaderEdit") { folder in
            let path = try await made(folder, "a.mp4", "\(movie) libx264 -bf 2 -use_editlist 0")
            return try await buffers(path, "qtdemux").count < 10
        },
        Workaround("qtdemux, the end of a movie in fragments: MovieHeaderEdit") { folder in
            let path = folder.file("a.mp4")
            _ = try await launch(
                "-e videotestsrc num-buffers=60 ! video/x-raw,framerate=30/1 ! x264enc bframes=2 key-int-max=12 ! h264parse "
                    + "! mp4mux fragment-duration=500 ! filesink location=\(path)")
            return try await buffers(path, "qtdemux").count < 60
        },
        Workaround("qtdemux, a movie without a header: MovieHeaderEdit") { folder in
            let path = try await made(folder, "a.mp4", "\(movie) libx264")
            let headless = try edited(path, folder, "headless.mp4") { try rename("mvhd", "free", &$0) }
            try #require(try await buffers(path, "qtdemux").count == 10)
            return try await Tool.run("gst-discoverer-1.0", [headless]).text.contains("no playable streams")
        },
        Workaround("mxfdemux, a hole in the row of parts: MXFScan") { folder in
            let path = try await made(
                folder, "a.mxf", "-f lavfi -i testsrc=size=64x64:rate=25:duration=2 -c:v mpeg2video")
            let holed = try edited(path, folder, "hole.mxf") { data in
                let middle = data.count / 2
                data.replaceSubrange(middle..<middle + 6000, with: Data(count: 6000))
            }
            var sizes: [Int] = []
            for input in [path, holed] {
                let output = folder.file("stream")
                _ = try await launch("filesrc location=\(input) ! mxfdemux ! filesink location=\(output)")
                sizes.append(try bytes(output).count)
            }
            // Less than half of the frames: what lies behind the hole is as long again.
            return sizes[1] > 0 && sizes[1] < sizes[0] / 2
        },
        Workaround("mxfdemux, JPEG 2000 of progressive frames: MXFWrapping") { folder in
            let path = try await made(
                folder, "a.mxf", "-f lavfi -i testsrc=size=64x64:rate=25:duration=0.4 -c:v jpeg2000")
            let progressive = try edited(path, folder, "progressive.mxf") { data in
                let label = Data([0x0D, 0x01, 0x03, 0x01, 0x02, 0x0C])
                while let found = data.firstRange(of: label + [0x01]) {
                    data.replaceSubrange(found, with: label + [0x06])
                }
            }
            try #require(try await buffers(path, "mxfdemux").count == 10)
            return try await buffers(progressive, "mxfdemux").isEmpty
        },
        Workaround("flvdemux, what the script says: FLVTags") {
            let path = try await made($0, "a.flv", "\(movie) flv -metadata title=Once -metadata artist=Twice")
            try #require(try bytes(path).contains("Twice".utf8))
            let told = try await launch("-t filesrc location=\(path) ! flvdemux ! fakesink").text
            return told.contains("Once") && !told.contains("Twice")
        },
        Workaround("flvdemux, how much of VP6 is shown: FLVScan.VP6Size") { folder in
            let path = folder.file("a.flv")
            try MadeFLV.vp6(hiding: (8, 6)).write(to: URL(filePath: path))
            let shown = try #require(try await FFProbe.inspect(path).video.first)
            try #require((shown.width, shown.height) == (184, 154))
            return try await launch("-v filesrc location=\(path) ! flvdemux ! avdec_vp6f ! fakesink").text
                .contains("width=(int)192, height=(int)160")
        },
        Workaround("aiffparse, texts: AIFFTags") {
            let path = try await made($0, "a.aiff", "\(second) -metadata title=Once")
            try #require(try bytes(path).contains("NAME\0\0\0\u{4}Once".utf8))
            let told = try await launch("-t filesrc location=\(path) ! aiffparse ! fakesink")
            return told.status == 0 && !told.text.contains("Once")
        },
        Workaround("aiffparse, an empty chunk at the end: AIFFEnd") { folder in
            let path = try await made(folder, "a.aiff", second)
            let empty = try edited(path, folder, "empty.aiff") { data in
                data += Data("ID3 ".utf8) + Data(count: 4)
                data.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(data.count - 8).bigEndian, Array.init))
            }
            try #require(try await !buffers(path, "aiffparse").isEmpty)
            return try await buffers(empty, "aiffparse").isEmpty
        },
        Workaround("wavparse, an odd number of bytes: PaddedWave") { folder in
            let path = try await made(
                folder, "a.wav", "-f lavfi -i sine=duration=0.1:sample_rate=8000 -c:a pcm_u8 -bitexact")
            // One byte more of audio, and one that fills it up.
            let odd = try edited(path, folder, "odd.wav") { data in
                let size = try #require(data.firstRange(of: Data("data".utf8))).upperBound
                data[size] += 1
                data[4] += 2
                data += [128, 0]
            }
            try #require(try await buffers(path, "wavparse").count == 1)
            return try await buffers(odd, "wavparse").isEmpty
        },
    ]
}
