import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import Testing

@testable import RushesCommands

/// Durations, sizes and rates as people type them.
struct QuantityTests {
    @Test(arguments: [
        ("90", 90.0), ("1.5s", 1.5), ("250ms", 0.25), ("2m", 120), ("1h30m", 5400), ("00:01:30.5", 90.5), ("1:30", 90),
        ("0", 0),
        ("1h", 3600), ("1m1s", 61), ("1s500ms", 1.5), (".5", 0.5), ("10:00:00", 36000),
    ]) func `a duration is read as it is written`(text: String, seconds: Double) throws {
        #expect(abs(try #require(TimeSpan(text)).time.seconds - seconds) < 1e-9)
    }

    @Test(arguments: [
        "", "-1", "1d", "s", "1:60", "1:2:3:4", "1.2.3", "nan", "inf", "0x10", "1e3", "1m1h", "1 s", "½", "１", ":",
        "1:", ":1", "1s1s",
        "99999999999999999999",
    ]) func `what is no duration is refused`(text: String) { #expect(TimeSpan(text) == nil) }

    @Test func `a delay may be negative`() {
        #expect(SignedTimeSpan(argument: "-40ms")?.duration == .milliseconds(-40))
        #expect(SignedTimeSpan(argument: "1s")?.duration == .seconds(1))
        #expect(SignedTimeSpan(argument: "--1") == nil)
        #expect(SignedTimeSpan(argument: "-") == nil)
    }

    @Test(arguments: [
        ("500M", Int64(500_000_000)), ("2G", 2_000_000_000), ("2GiB", 2_147_483_648), ("1", 1), ("1.5k", 1500),
        ("64KiB", 65536),
        ("3MB", 3_000_000), ("1T", 1_000_000_000_000), ("12B", 12),
    ]) func `a size is decimal unless it says binary`(text: String, bytes: Int64) {
        #expect(ByteCount(text)?.bytes == bytes)
    }

    @Test(arguments: ["", "0", "-1", "M", "1X", "1iB", "nan", "1e9", "99999999T", "1.2.3M", "1 M"])
    func `what is no size is refused`(text: String) { #expect(ByteCount(text) == nil) }

    @Test func `a bit rate is bits a second`() {
        #expect(BitRate(argument: "8M")?.bitsPerSecond == 8_000_000)
        #expect(BitRate(argument: "2500k")?.bitsPerSecond == 2_500_000)
        #expect(BitRate(argument: "8000000")?.bitsPerSecond == 8_000_000)
        for text in ["", "M", "0", "-8M", "8G8", "10", "9999999M", "nan"] {
            #expect(BitRate(argument: text) == nil, "\(text)")
        }
    }

    @Test func `a frame rate may be a fraction, and 29.97 is one`() {
        #expect(FrameRateArgument(argument: "30000/1001") == FrameRateArgument(argument: "29.97"))
        for text in ["25", "25fps", "25 FPS"] {
            #expect(FrameRateArgument(argument: text)?.fraction == Fraction(25), "\(text)")
        }
        for text in ["", "0", "-1", "1/0", "a", "1/2/3", "nan", "fps", "fps25"] {
            #expect(FrameRateArgument(argument: text) == nil, "\(text)")
        }
    }

    @Test func `a camera's frame size has the names of its rows`() {
        for (text, width, height) in [
            ("480p", 854, 480), ("720P", 1280, 720), ("1080p", 1920, 1080), ("4K", 3840, 2160),
        ] {
            #expect(VideoSize(argument: text) == VideoSize(width, height), "\(text)")
        }
        #expect(VideoSize(argument: "640x480") == VideoSize(640, 480))
        for text in ["", "p", "721p", "k4", "720"] { #expect(VideoSize(argument: text) == nil, "\(text)") }
    }

    @Test func `codecs have the names that others give them, and decibels their unit`() {
        for (text, codec) in [
            ("H264", VideoCodec.h264), ("h.265", .hevc), ("HEVC", .hevc), ("x264", .h264), ("MJPG", .mjpeg),
        ] {
            #expect(VideoCodec(argument: text) == codec, "\(text)")
        }
        #expect(VideoCodec(argument: "h266") == nil)
        for text in ["6", "6dB", "6 db", "+6"] { #expect(Decibels(argument: text)?.value == 6, "\(text)") }
        #expect(Decibels(argument: "-3dB")?.value == -3)
        for text in ["", "dB", "6dBm", "nan"] { #expect(Decibels(argument: text) == nil, "\(text)") }
    }
}
