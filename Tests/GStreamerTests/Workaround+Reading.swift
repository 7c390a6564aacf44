import Foundation
import TestSupport

/// What parsers, demuxers and decoders do.
extension Workaround {
    /// A file of ffmpeg's.
    static func made(_ folder: TemporaryFolder, _ name: String, _ line: String) async throws -> String {
        let path = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error"] + line.split(separator: " ").map(String.init) + [path])
        return path
    }

    /// What gst-launch-1.0 makes of a line, to its end or an error.
    static func launch(_ line: String, environment: [String: String] = [:]) async throws -> ToolResult {
        try await Tool.run(
            "gst-launch-1.0", line.split(separator: " ").map(String.init), environment: environment.mapValues { $0 })
    }

    /// What gst-launch-1.0 says of a line that fails. It hangs now and then once it has said it.
    static func errors(of line: String) async throws -> String {
        let words = ["--signal=KILL", "5", "gst-launch-1.0"] + line.split(separator: " ").map(String.init)
        return try await Tool.run("timeout", words).errors
    }

    /// What a pipeline hands to its end, a line for each buffer.
    static func buffers(of line: String, environment: [String: String] = [:]) async throws -> [Substring] {
        // Without preroll: where nothing but an end comes to the sink, gst-launch (1.22) may wait for it for ever, 3 of 150 times.
        try await launch("-v \(line) ! fakesink silent=false async=false", environment: environment).text
            .split(separator: "\n").filter { $0.contains("last-message = chain") }
    }

    static func buffers(_ path: String, _ line: String) async throws -> [Substring] {
        try await buffers(of: "filesrc location=\(path) ! \(line)")
    }

    /// Seconds at which what a pipeline hands to its end is presented; nothing of what has no time.
    static func times(_ path: String, _ line: String) async throws -> [Double] {
        try await buffers(path, line).compactMap { line in
            line.firstMatch(of: /pts: (\d+):(\d+):([0-9.]+)/).flatMap { match in
                guard let hours = Double(match.1), let minutes = Double(match.2), let seconds = Double(match.3) else {
                    return nil
                }
                return (hours * 60 + minutes) * 60 + seconds
            }
        }
    }

    /// Bytes of 16 bits that a pipeline decodes of a file.
    static func decodedCount(_ path: String, _ folder: TemporaryFolder, _ line: String) async throws -> Int {
        let end = "audioconvert ! audio/x-raw,format=S16LE"
        return try await bytes(file(folder, "raw", "filesrc location=\(path) ! \(line) ! \(end)")).count
    }

    static let second = "-f lavfi -i sine=duration=1:sample_rate=48000"

    static let reading = [
        Workaround("flacparse, the last block: PacketLengths") {
            let path = try await made($0, "a.flac", "-f lavfi -i sine=duration=0.3:sample_rate=48000 -c:a flac")
            // 14400 samples in blocks of 4608.
            return try await buffers(path, "flacparse").last?.contains("duration: 0:00:00.096") == true
        },
        Workaround("mpegaudioparse, what primes an MP3 of ffmpeg: GaplessMP3") {
            let path = try await made($0, "a.mp3", "\(second) -c:a libmp3lame")
            return try await decodedCount(path, $0, "mpegaudioparse ! mpg123audiodec") > 2 * 48_000
        },
        Workaround("aacparse, AAC in LATM: LATMFrames") {
            let path = try await made($0, "a.ts", "\(second) -c:a aac -mpegts_flags latm")
            return try await decodedCount(path, $0, "tsdemux ! aacparse ! avdec_aac_latm") < 2 * 48_000
        },
        Workaround("qtdemux, TrueHD: TrueHDOfMovies") {
            let path = try await made($0, "a.mp4", "\(second) -c:a truehd -strict -2")
            return try await Tool.run("gst-discoverer-1.0", ["-v", path]).text.contains("audio/x-gst-fourcc-mlpa")
        },
        Workaround("avidemux, pixels of what is stored from the top down: MisreadStreams") {
            let path = try await made(
                $0, "a.avi", "-f lavfi -i testsrc=size=160x120:rate=10:duration=0.3 -c:v rawvideo -pix_fmt bgr24")
            let text = try await launch("-v filesrc location=\(path) ! avidemux ! fakesink").text
            return text.contains("pixel-aspect-ratio=(fraction)-")
        },
        Workaround("avidemux, the description of AAC of six channels: WaveAAC") {
            let path = try await made($0, "a.avi", "\(second) -ac 6 -c:a aac")
            let text = try await launch("-v filesrc location=\(path) ! avidemux ! fakesink").text
            return text.contains("00001000800000aa00389b71")
        },
        Workaround("flvdemux, packets of several frames of Speex: SpeexPackets") {
            let speex = "-ar 16000 -ac 1 -c:a libspeex -frames_per_packet 2"
            let path = try await made($0, "a.flv", "\(second) \(speex)")
            return try await decodedCount(path, $0, "flvdemux ! speexdec") < 2 * 12_000
        },
        Workaround("aacparse, eight channels without a container: EightAACChannels") {
            let path = try await made($0, "a.aac", "\(second) -ac 8 -c:a aac")
            let line = "-v filesrc location=\(path) ! aacparse ! audio/mpeg,stream-format=raw ! fakesink"
            return try await launch(line).text.contains("codec_data=(buffer)11c0")
        },
        Workaround("matroskademux, how long packets of audio last: PacketRhythm") {
            let path = try await made($0, "a.mka", "\(second) -c:a aac")
            return try await buffers(path, "matroskademux").last?.contains("duration: none") == true
        },
        Workaround("matroskademux, packets that share a block: PacketLengths") {
            let path = try await made($0, "a.mka", "\(second) -c:a libopus")
            let laced = $0.file("laced.mka")
            try Data(LacedBlocks.applied(to: Array(bytes(path)), count: 8)).write(to: URL(filePath: laced))
            return try await buffers(laced, "matroskademux").count { $0.contains("pts: none, duration: none") } > 10
        },
        Workaround("matroskademux, the times of ProRes: ProResFrames") {
            let path = try await made($0, "a.mkv", "-f lavfi -i testsrc=size=64x64:rate=10:duration=0.5 -c:v prores_ks")
            return try await buffers(path, "matroskademux").last?.contains("pts: none") == true
        },
        Workaround("avdec_gif, the times of frames: PacketTimestamps") {
            let path = try await made($0, "a.gif", "-f lavfi -i testsrc=size=64x64:rate=10:duration=0.5")
            let line = "avdemux_gif ! avdec_gif ! identity eos-after=5"
            return try await buffers(path, line).last?.contains("pts: 0:00:00.000") == true
        },
        Workaround("h264parse, frames of I slices: GroupStart") {
            let path = try await made(
                $0, "a.mkv",
                "-f lavfi -i testsrc=size=64x64:rate=30:duration=1 -f lavfi -i mandelbrot=size=64x64:rate=30 "
                    + "-filter_complex [1]trim=duration=1[m];[0][m]concat=n=2:v=1 -c:v libx264 -bf 0 "
                    + "-x264-params keyint=250:min-keyint=100:scenecut=40")
            return try await buffers(path, "matroskademux ! h264parse").count { !$0.contains("delta-unit") } > 1
        },
        Workaround("opusdec, the order of five channels: ChannelOrder") {
            let path = try await made(
                $0, "a.opus", "-f lavfi -i aevalsrc=0|0|sin(880*PI*t)|0|0:s=48000:d=1:c=5.0 -c:a libopus")
            let wave = try await file($0, "wav", "filesrc location=\(path) ! oggdemux ! opusdec ! wavenc")
            let audio = try await FFmpeg.audio(of: wave, rate: 48_000, channel: 2)
            return ToneAnalysis(audio.dropFirst(9600).dropLast(9600).map { $0 }, rate: 48_000).level < 0.1
        },
        Workaround("av1parse, HDR10's light: StreamLight") {
            let path = try await made(
                $0, "a.obu",
                "-f lavfi -i testsrc=size=64x64:rate=10:duration=0.2 -pix_fmt yuv420p10le -c:v libsvtav1 -svtav1-params "
                    + "mastering-display=G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.0001)")
            let words = try await Tool.succeed(
                "gst-launch-1.0", ["-v", "filesrc", "location=\(path)", "!", "av1parse", "!", "fakesink"])
            return words.text.contains("video/x-av1") && !words.text.contains("mastering-display-info")
        },
    ]
}
