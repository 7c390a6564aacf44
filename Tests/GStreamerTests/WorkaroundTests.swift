import Foundation
import GStreamer
import TestSupport
import Testing

/// Something that GStreamer does otherwise than it should, as its own programs show it.
struct Workaround: Sendable, CustomTestStringConvertible {
    /// What is at fault, and what in Rushes stands around it.
    var testDescription: String
    /// Whether GStreamer does it as it did when the work-around was made.
    var hasFault: @Sendable (TemporaryFolder) async throws -> Bool

    init(_ description: String, _ hasFault: @escaping @Sendable (TemporaryFolder) async throws -> Bool) {
        (testDescription, self.hasFault) = (description, hasFault)
    }

    /// The file that a pipeline writes.
    static func file(_ folder: TemporaryFolder, _ ending: String, _ line: String) async throws -> String {
        let path = folder.file("out.\(ending)")
        let arguments = line.split(separator: " ").map(String.init) + ["!", "filesink", "location=\(path)"]
        _ = try await Tool.succeed("gst-launch-1.0", ["--quiet"] + arguments)
        return path
    }

    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// The first value of a white frame of 10 bits; 940 is white in studio range.
    private static func white(_ folder: TemporaryFolder, _ line: String) async throws -> Int {
        let frame = try await bytes(file(folder, "raw", "videotestsrc pattern=white num-buffers=1 ! \(line)"))
        return Int(frame[0]) | Int(frame[1]) << 8
    }

    /// Hertz that ffmpeg decodes of the front center of channels of which that one alone has 440, or nothing.
    private static func centerTone(
        _ folder: TemporaryFolder, channels: Int, _ encoder: String, _ ending: String
    ) async throws -> Double {
        let wave = folder.file("tone.wav")
        let tones = (0..<channels).map { $0 == 2 ? "sin(880*PI*t)" : "0" }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + ["aevalsrc=\(tones.joined(separator: "|")):s=48000:d=1:c=\(channels == 5 ? "5.0" : "7.1")", wave])
        let coded = try await file(
            folder, ending, "filesrc location=\(wave) ! wavparse ! audioconvert ! audio/x-raw,format=S16LE ! \(encoder)"
        )
        let audio = try await FFmpeg.audio(of: coded, rate: 48_000, channel: 2)
        let tone = ToneAnalysis(audio.dropFirst(9600).dropLast(9600).map { $0 }, rate: 48_000)
        return tone.level > 0.1 ? tone.frequency.rounded() : 0
    }

    private static func video(_ frames: Int) -> String {
        "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,width=32,height=32,framerate=30/1"
    }

    /// What encoders, muxers and filters do.
    static let writing = [
        Workaround("videotestsrc, white of 10 bits: VideoSourcePlan") {
            try await white($0, "video/x-raw,format=I420_10LE,width=16,height=16") == 943
        },
        Workaround("videoconvert, 8 to 10 bits in studio range: DepthElement") {
            let eight = "video/x-raw,format=I420,width=16,height=16"
            return try await white($0, "\(eight) ! videoconvert dither=none ! video/x-raw,format=I420_10LE") == 943
        },
        Workaround("videoconvert, 10 to 8 bits: DitherElement") { folder in
            let deep = folder.file("deep")
            // 515 is 128.75 of 8 bits.
            try Data((0..<16 * 16 * 3 / 2).flatMap { _ in [3, 2] as [UInt8] }).write(to: URL(filePath: deep))
            let line = "filesrc location=\(deep) ! rawvideoparse format=i420-10le width=16 height=16"
            let frame = try await bytes(
                file(folder, "raw", "\(line) ! videoconvert dither=none ! video/x-raw,format=I420"))
            return frame[0] == 128
        },
        Workaround("flacenc, the order of eight channels: EncoderChannelOrder") {
            try await centerTone($0, channels: 8, "flacenc", "flac") == 0
        },
        Workaround("opusenc, the order of five channels: EncoderChannelOrder") {
            try await centerTone($0, channels: 5, "opusenc ! oggmux", "opus") == 0
        },
        Workaround("matroskamux, the luminances of a mastering display: MatroskaLuminance") {
            let display = "34000:16000:13250:34500:7500:3000:15635:16450:40000000:50"
            let movie = try await file(
                $0, "mkv",
                "\(video(2)) ! jpegenc ! capssetter caps=image/jpeg,mastering-display-info=(string)\(display) ! matroskamux"
            )
            return try await FFProbe.inspect(movie).video.first?.sideDataList?.first?.maxLuminance?.value == 800
        },
        Workaround("gst_video_info_from_caps, a range without a matrix: Caps.completedColorimetry") { _ in
            let caps = try Caps(
                "video/x-raw,format=I420,width=16,height=16,framerate=1/1,colorimetry=(string)1:0:0:0")
            return GStreamer.Colorimetry(caps)?.isFullRange != true
        },
        Workaround("mp4mux, the sequence header in av1C: AV1Repair") {
            let line =
                "videotestsrc num-buffers=1 ! video/x-raw,width=32,height=32 ! av1enc cpu-used=8 ! av1parse ! mp4mux"
            let movie = try await bytes(file($0, "mp4", line))
            let box = try #require(movie.range(of: Data("av1C".utf8)))
            return movie[box.upperBound] != 0x81
        },
        Workaround("x265enc, what stands before a first frame with HDR10's light: X265Header") {
            let light = "mastering-display-info=(string)34000:16000:13250:34500:7500:3000:15635:16450:40000000:50"
            let stream = try await file(
                $0, "h265",
                "videotestsrc num-buffers=1 ! video/x-raw,format=I420_10LE,width=128,height=96,framerate=30/1 ! "
                    + "capssetter caps=video/x-raw,\(light) ! x265enc log-level=none")
            let data = try bytes(stream)
            // One set of parameters for one frame.
            let first = try #require(data.range(of: Data([0, 0, 0, 1, 0x40, 1])))
            return data.range(of: Data([0, 0, 0, 1, 0x40, 1]), in: first.upperBound..<data.endIndex) != nil
        },
        Workaround("av1enc, what the colours mean: StreamColor") {
            let stream = try await file(
                $0, "obu",
                "videotestsrc num-buffers=1 ! video/x-raw,width=32,height=32,colorimetry=bt709 ! av1enc cpu-used=8 ! av1parse ! "
                    + "video/x-av1,stream-format=obu-stream,alignment=tu")
            return try await FFProbe.inspect(stream).video.first?.colorPrimaries != "bt709"
        },
        Workaround("qtmux, rates above 65535 Hz: SampleEntry+Rate") {
            let movie = try await file(
                $0, "mov", "audiotestsrc num-buffers=3 ! audio/x-raw,rate=192000,format=S16LE,channels=1 ! qtmux")
            return try await FFProbe.inspect(movie).audio.first?.sampleRate?.value != 192_000
        },
        Workaround("qtmux, PCM of more than two channels that have names: PCMChannels") {
            let caps = "audio/x-raw,rate=48000,format=S16LE,channels=6,channel-mask=(bitmask)0x3f"
            return (try? await file($0, "mov", "audiotestsrc num-buffers=3 ! \(caps) ! qtmux")) == nil
        },
        Workaround("matroskamux, CodecDelay of AAC: MoviePlanner") {
            let movie = try await file(
                $0, "mkv", "audiotestsrc num-buffers=3 ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! matroskamux")
            return try bytes(movie).range(of: Data([0x56, 0xAA])) == nil
        },
        Workaround("matroskamux, tracks without a title: MatroskaTrackAttributes") {
            let movie = try await file($0, "mkv", "\(video(2)) ! jpegenc ! matroskamux")
            return try await FFProbe.inspect(movie).video.first?.tags?["title"] == "Video"
        },
        Workaround("matroskamux, a track's title that is a tag too: MatroskaTrackTitles") {
            let movie = try await file($0, "mkv", "\(video(2)) ! jpegenc ! taginject tags=title=Zweimal ! matroskamux")
            let told = try bytes(movie)
            let first = try #require(told.range(of: Data("Zweimal".utf8)))
            return told.range(of: Data("Zweimal".utf8), in: first.upperBound..<told.endIndex) != nil
        },
        Workaround("matroskamux, the length with a longest track that begins late: MatroskaDuration") {
            let movie = try await file(
                $0, "mkv",
                "audiotestsrc num-buffers=20 timestamp-offset=1000000000 samplesperbuffer=4800 ! "
                    + "audio/x-raw,rate=48000,channels=1 ! m. \(video(3)) ! jpegenc ! matroskamux name=m")
            let duration = try #require(try await FFProbe.inspect(movie).format.duration?.value)
            return abs(duration - 2) < 0.1
        },
        Workaround("deinterlace, frames that begin with the lower field: DecodedFrames") {
            let frames = try await file(
                $0, "raw",
                "\(video(8)) ! interlace field-pattern=1:1 top-field-first=false ! "
                    + "deinterlace method=greedyh fields=top mode=interlaced")
            return try bytes(frames).count != 4 * 32 * 32 * 3 / 2
        },
        Workaround("avdec_h264, pixels that only the movie calls square: DecodedFrames") { folder in
            let (stream, movie) = (folder.file("stream.mp4"), folder.file("square.mp4"))
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=0.1", "-c:v", "libx264",
                    "-x264-params", "sar=2/1", stream,
                ])
            _ = try await Tool.succeed(
                "ffmpeg", ["-v", "error", "-i", stream, "-c", "copy", "-aspect", "1:1", movie])
            let decoding = "-v filesrc location=\(movie) ! qtdemux ! h264parse ! avdec_h264 ! fakesink"
            let words = try await Tool.succeed("gst-launch-1.0", decoding.split(separator: " ").map(String.init))
            return words.text.contains("pixel-aspect-ratio=(fraction)2/1")
        },
    ]
}

extension Workaround {
    static let all = writing + encoding + reading + decoding + demuxing + covers + library
}

struct WorkaroundTests {
    /// What has been mended fails here: the work-around goes when no version that is supported needs it any more.
    @Test(arguments: Workaround.all)
    func `is still needed`(_ workaround: Workaround) async throws {
        #expect(try await workaround.hasFault(TemporaryFolder()), "GStreamer does it otherwise now.")
    }
}
