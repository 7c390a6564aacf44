import Errors
import GStreamer
import Testing

@testable import Encoding

/// What is chosen, with stated elements and cores instead of this machine's.
@Suite struct VideoChoiceTests {
    let tables: EncoderTables
    let software = InstalledElements.these(
        "x264enc", "x265enc", "openh264enc", "av1enc", "vp9enc", "jpegenc", "rushesproresenc")

    init() throws { tables = try EncoderTables(PipelineFiles.find()) }

    func request(
        _ codec: VideoCodec? = nil, _ container: Container = .mov, _ size: VideoSize = VideoSize(1920, 1080),
        _ rate: Fraction = Fraction(30), bitDepth: Int = 8, cores: Int = 2,
        free: Double? = nil
    ) -> VideoRequest {
        VideoRequest(
            codec: codec, container: container, size: size, rate: rate, bitDepth: bitDepth, cores: cores,
            freeCores: free)
    }

    @Test(arguments: [
        (VideoSize(1920, 1080), 2, VideoCodec.h264, "superfast"),
        (VideoSize(1280, 720), 2, .hevc, "ultrafast"),
        (VideoSize(640, 480), 2, .hevc, "veryfast"),
        (VideoSize(1920, 1080), 4, .h264, "veryfast"),
        (VideoSize(1920, 1080), 6, .hevc, "ultrafast"),
        (VideoSize(1920, 1080), 16, .hevc, "veryfast"),
        (VideoSize(1280, 720), 1, .h264, "veryfast"),
    ])
    func withoutACodecHEVCWinsWhereTheCoresKeepUp(size: VideoSize, cores: Int, codec: VideoCodec, speed: String) throws
    {
        let first = try #require(
            try tables.videoEncoders(for: request(nil, .mov, size, cores: cores), installed: software).first)
        #expect(first.codec == codec)
        #expect(first.speed == speed)
        #expect(first.isRealTime)
    }

    @Test(arguments: [
        (2.0, VideoCodec.hevc, "veryfast"), (1.2, .hevc, "superfast"), (0.6, .h264, "veryfast"),
        (0.2, .h264, "ultrafast"),
    ])
    func whatOthersLeaveOfTheCoresDecides(free: Double, codec: VideoCodec, speed: String) throws {
        let wanted = request(nil, .mov, VideoSize(854, 480), Fraction(24), free: free)
        let first = try #require(try tables.videoEncoders(for: wanted, installed: software).first)
        #expect(first.codec == codec)
        #expect(first.speed == speed)
        #expect(first.isRealTime)
    }

    @Test func whereNothingKeepsUpTheCheapestWins() throws {
        var wanted = request(nil, .mov, free: 0.5)
        wanted.coreSpeed = 0.1
        let found = try tables.videoEncoders(for: wanted, installed: software)
        #expect(found.allSatisfy { !$0.isRealTime })
        #expect(found.first?.element == "x264enc")
        #expect(found.first?.speed == "ultrafast")
        #expect(found.map(\.load) == found.map(\.load).sorted())
    }

    @Test func hardwareComesFirst() throws {
        let installed = InstalledElements.these("x264enc", "x265enc", "vah265enc", "vah264enc")
        let found = try tables.videoEncoders(for: request(), installed: installed)
        #expect(found.map(\.element) == ["vah265enc", "vah264enc", "x264enc", "x265enc"])
        #expect(found.first?.reason == "HEVC with vah265enc: hardware")
    }

    @Test func theReasonIsOneLine() throws {
        let small = try tables.videoEncoders(for: request(.h264, .mov, VideoSize(1280, 720)), installed: software)
        #expect(
            small.first?.reason == "H.264 with x264enc, speed veryfast: fast enough for 1280×720 at 30 fps on 2 cores")
        let odd = try tables.videoEncoders(
            for: request(.h264, .mov, VideoSize(1280, 720), Fraction(30000, 1001), cores: 1), installed: software)
        let busy = try tables.videoEncoders(
            for: request(.h264, .mov, VideoSize(1280, 720), free: 1.24), installed: software)
        #expect(
            busy.first?.reason
                == "H.264 with x264enc, speed veryfast: fast enough for 1280×720 at 30 fps on 2 cores, 1.2 of them free"
        )
        #expect(
            odd.first?.reason == "H.264 with x264enc, speed veryfast: fast enough for 1280×720 at 29.97 fps on 1 core")
    }

    @Test func whatIsTooMuchTakesTheFastestAndSaysSo() throws {
        let found = try #require(
            try tables.videoEncoders(for: request(.hevc, .mov, VideoSize(3840, 2160)), installed: software).first)
        #expect(!found.isRealTime)
        #expect(found.speed == "ultrafast")
        #expect(found.reason.contains("may be too slow for 3840×2160 at 30 fps on 2 cores"))
    }

    /// Beside others a named codec gets what hands over to other threads least; a codec that nobody named is another one then.
    @Test(arguments: [(2.0, "veryfast"), (0.6, "lean"), (0.2, "lean")])
    func `a named codec on a busy machine is encoded at the speed for relief`(free: Double, speed: String) throws {
        let found = try #require(
            try tables.videoEncoders(
                for: request(.hevc, .mov, VideoSize(854, 480), Fraction(24), free: free), installed: software
            ).first)
        #expect(found.speed == speed)
        let option = found.properties.first { $0.name == "option-string" }?.value.description ?? ""
        #expect(option.hasSuffix("wpp=0:ctu=16") == (speed == "lean"), "\(option)")
    }

    @Test func `the speed for relief follows the others, unless its threads are too few for the frames`() throws {
        for (size, expected) in [
            (VideoSize(854, 480), ["superfast", "ultrafast", "lean"]), (VideoSize(3840, 2160), []),
        ] {
            let wanted = request(.hevc, .mov, size, Fraction(24))
            let first = try #require(try tables.videoEncoders(for: wanted, installed: software).first)
            let faster = try tables.fasterEncoders(than: first, for: wanted, installed: software)
            #expect(faster.map(\.speed) == expected, "\(first.speed ?? "-")")
        }
    }

    @Test func theNextCandidateStandsReady() throws {
        let found = try tables.videoEncoders(for: request(.h264), installed: software)
        #expect(found.map(\.element) == ["x264enc", "openh264enc"])
    }

    @Test func aMissingEncoderNamesThePackage() {
        let error = #expect(throws: RushesError.self) {
            try tables.videoEncoders(for: request(.av1), installed: .these())
        }
        #expect(error?.description == "AV1 needs av1enc; install gstreamer1.0-plugins-bad")
        #expect(error?.code == .encoderMissing)
        let hevc = #expect(throws: RushesError.self) {
            try tables.videoEncoders(for: request(.hevc), installed: .these())
        }
        #expect(hevc?.description == "HEVC needs x265enc; install gstreamer1.0-plugins-bad")
    }

    @Test(arguments: [
        (VideoSize(40, 20), "frames of 40×20 are too small for HEVC, which needs 64×64 or more here"),
        (VideoSize(16384, 8192), "frames of 16384×8192 are too large for HEVC, which takes 8192×4320 or less here"),
        (VideoSize(641, 480), "HEVC takes only widths and heights divisible by 2 here, and the frames are 641×480"),
    ])
    func aSizeOutsideTheLimitsIsRefused(size: VideoSize, sentence: String) {
        let error = #expect(throws: RushesError.self) {
            try tables.videoEncoders(for: request(.hevc, .mov, size), installed: software)
        }
        #expect(error?.description == "\(sentence); choose another size or video codec")
    }

    @Test func theEncoderThatNeedsLeastTellsHowLargeFramesHaveToBe() {
        let error = #expect(throws: RushesError.self) {
            try tables.videoEncoders(
                for: request(.h264, .mov, VideoSize(2, 2)), installed: .these("vah264enc", "openh264enc", "nvh264enc"))
        }
        let sentence = "frames of 2×2 are too small for H.264, which needs 16×16 or more here"
        #expect(error?.description == "\(sentence); choose another size or video codec")
    }

    @Test func aFrameMayBeAsHighAsItMayBeWide() throws {
        for codec in [VideoCodec.hevc, .av1, .h264] {
            let found = try tables.videoEncoders(for: request(codec, .mov, VideoSize(4320, 7680)), installed: software)
            #expect(found.first != nil, "\(codec)")
        }
        let error = #expect(throws: RushesError.self) {
            try tables.videoEncoders(for: request(.hevc, .mov, VideoSize(8192, 7680)), installed: software)
        }
        #expect(error?.description.contains("8192×7680 are too large for HEVC, which takes 8192×4320 or less") == true)
    }

    @Test func tenBitPassesOverEncodersWithout() throws {
        let found = try tables.videoEncoders(for: request(.h264, bitDepth: 10), installed: software)
        #expect(found.map(\.element) == ["x264enc"])
        #expect(found.first?.formats == ["I420_10LE"])
        let error = #expect(throws: RushesError.self) {
            try tables.videoEncoders(for: request(.av1, bitDepth: 10), installed: software)
        }
        #expect(error?.description == "av1enc writes AV1 with 8 bit only; use bit depth 8, or video codec hevc")
    }

    @Test func proResTakesItsQualityFromTheProfile() throws {
        var wanted = request(.prores)
        #expect(
            try tables.videoEncoders(for: wanted, installed: software).first?.reason.hasPrefix(
                "ProRes hq with rushesproresenc") == true)
        wanted.profile = .fourFourFourFour
        #expect(try tables.videoEncoders(for: wanted, installed: software).first?.formats == ["Y444", "Y444_10LE"])
        wanted.control = .bitrate(1000)
        #expect(throws: RushesError.self) { try tables.videoEncoders(for: wanted, installed: software) }
        var other = request(.hevc)
        other.profile = .hq
        #expect(throws: RushesError.self) { try tables.videoEncoders(for: other, installed: software) }
    }

    @Test func aBitRateIsHandedOverInTheElementsUnit() throws {
        var wanted = request(.h264)
        wanted.control = .bitrate(6_000_000)
        let found = try tables.videoEncoders(for: wanted, installed: software)
        #expect(found[0].properties.contains(.init("bitrate", "6000")))
        #expect(found[1].properties.contains(.init("bitrate", "6000000")))
    }

    @Test func hardwareThatKnowsOnlyRatesGetsOneFromTheQuality() throws {
        let found = try tables.videoEncoders(for: request(.h264), installed: .these("v4l2h264enc"))
        let controls = try #require(found.first?.properties.first { $0.name == "extra-controls" })
        #expect(controls.value.description.contains("video_bitrate=7464960,"))
    }

    @Test func anExportTakesTheSlowestSpeed() throws {
        var wanted = request(.h264)
        wanted.purpose = .export
        let first = try #require(try tables.videoEncoders(for: wanted, installed: software).first)
        #expect(first.speed == "slow")
        #expect(!first.properties.contains { $0.name == "tune" })
    }

    @Test(arguments: [VideoCodec.h264, .hevc], ["slower", "slow", "fast", "faster"])
    func anExportHasTheSpeedThatItNames(codec: VideoCodec, name: String) throws {
        var wanted = request(codec)
        (wanted.purpose, wanted.requiredSpeed) = (.export, name)
        let found = try tables.videoEncoders(for: wanted, installed: software).first
        #expect(found?.speed == name && found?.properties.contains(.init("speed-preset", .text(name))) == true)
    }

    @Test func aSpeedThatIsAskedForIsTakenOrRefusedWithThoseThatThereAre() throws {
        var wanted = request(.h264)
        wanted.requiredSpeed = "superfast"
        let found = try tables.videoEncoders(for: wanted, installed: .these("x264enc", "openh264enc", "vah264enc"))
        #expect(found.map(\.element) == ["x264enc"] && found.map(\.speed) == ["superfast"])
        // It may be too slow: that is told.
        wanted.requiredSpeed = "faster"
        wanted.freeCores = 0.5
        let slow = try #require(try tables.videoEncoders(for: wanted, installed: software).first)
        #expect(!slow.isRealTime && slow.speed == "faster" && slow.reason.contains("may be too slow"))
        wanted.requiredSpeed = "medium"
        #expect(try tables.videoEncoders(for: wanted, installed: software).first?.element == "openh264enc")
        wanted.requiredSpeed = "slow"
        let error = #expect(throws: RushesError.self) { try tables.videoEncoders(for: wanted, installed: software) }
        #expect(
            error?.description
                == "H.264 has no speed “slow” to record with: x264enc has faster, veryfast, superfast, ultrafast; "
                + "openh264enc has medium, low.")
        wanted.purpose = .export
        #expect(try tables.videoEncoders(for: wanted, installed: software).first?.speed == "slow")
        var plain = request(.mjpeg)
        plain.requiredSpeed = "fast"
        let single = #expect(throws: RushesError.self) { try tables.videoEncoders(for: plain, installed: software) }
        #expect(single?.description == "Motion JPEG has one speed only; leave encoder speed out.")
    }

    @Test func webMIsVP9ByItself() throws {
        #expect(try tables.videoEncoders(for: request(nil, .webm), installed: software).first?.codec == .vp9)
    }

    @Test func jpegIsMadeFullRange() throws {
        let encoder = try #require(try tables.videoEncoders(for: request(.mjpeg), installed: software).first)
        let caps = try Caps("video/x-raw,format=(string){ I420, NV12 },colorimetry=(string)1:4:16:4")
        #expect(try encoder.nodes(colorimetry: "bt601").contains(.caps(caps)))
    }
}
