import Errors
import Testing

@testable import Encoding

@Suite struct ContainerRulesTests {
    @Test(arguments: [
        ("take.mov", Container.mov), ("take.MP4", .mp4), ("a.b/take.m4v", .mp4), ("take.mkv", .mkv),
        ("take.webm", .webm), ("voice.m4a", .m4a), ("voice.WAV", .wav), ("voice.flac", .flac), ("voice.mka", .mka),
        ("talk.opus", .opus), ("talk.ogg", .ogg), ("talk.OGA", .ogg),
        ("clip.GIF", .gif),
        ("/tmp/with space/take.1.qt", .mov),
    ])
    func aFileEndingChoosesTheContainer(name: String, container: Container) throws {
        #expect(try Container(fileName: name) == container)
    }

    @Test(arguments: ["take", "folder.mov/take", ".mov", "take.avi", "take.", ""])
    func anotherEndingIsRefusedWithTheKnownOnes(name: String) throws {
        let error = #expect(throws: RushesError.self) { try Container(fileName: name) }
        #expect(error?.description.contains("name the file .mov, .mp4, .mkv or .webm") == true)
        #expect(error?.code == .invalidSettings)
    }

    @Test(arguments: [
        (
            VideoCodec.prores, AudioCodec.aac, Container.mp4,
            "MP4 cannot hold ProRes here; name the file .mov or .mkv, or use video codec hevc"
        ),
        (.vp9, .opus, .mp4, "MP4 cannot hold VP9 here; name the file .mkv or .webm, or use video codec hevc"),
        (.hevc, .opus, .webm, "WebM cannot hold HEVC here; name the file .mov, .mp4 or .mkv, or use video codec vp9"),
        (.mjpeg, .pcm, .mp4, "MP4 cannot hold Motion JPEG here; name the file .mov or .mkv, or use video codec hevc"),
        (.hevc, .flac, .mov, "QuickTime cannot hold FLAC here; name the file .mkv, or use audio codec aac"),
        (.h264, .pcm, .mp4, "MP4 cannot hold PCM here; name the file .mov or .mkv, or use audio codec aac"),
        (.prores, .flac, .mov, "QuickTime cannot hold FLAC here; name the file .mkv, or use audio codec pcm"),
        (
            .h264, .none, .gif,
            "GIF cannot hold H.264; set preset to gif and leave video codec out, or name the file .mov, .mp4 or .mkv"
        ),
        (
            .copy, .none, .gif,
            "Frames of a GIF are always encoded; set preset to gif and leave video codec out, or name the file .mov, .mp4 or .mkv"
        ),
        (.gif, .aac, .gif, "GIF cannot hold AAC here; use audio codec none"),
        (.gif, .none, .mp4, "MP4 cannot hold GIF here; name the file .gif, or use video codec hevc"),
        (.vp9, .aac, .webm, "WebM cannot hold AAC here; name the file .mkv, or use audio codec opus"),
    ])
    func aWrongCombinationIsRefusedWithTheCure(
        video: VideoCodec, audio: AudioCodec, container: Container, sentence: String
    ) {
        let error = #expect(throws: RushesError.self) {
            try ContainerRules.check(video: video, audio: audio, in: container)
        }
        #expect(error?.description == sentence)
        #expect(error?.code == .invalidSettings)
    }

    @Test(arguments: Container.allCases.filter { !$0.holdsVideo }, [VideoCodec.h264, .copy])
    func audioAloneHoldsNoVideo(container: Container, video: VideoCodec) {
        let error = #expect(throws: RushesError.self) {
            try ContainerRules.check(video: video, audio: .standard(for: nil, in: container), in: container)
        }
        #expect(
            error?.description
                == "\(container.displayName) holds audio alone; name the file .mov, .mp4 or .mkv, or leave the video out"
        )
    }

    @Test(arguments: [Container.mkv, .webm])
    func matroskaCannotTurnTheFrame(container: Container) {
        let video = VideoCodec.defaults(for: container)[0]
        let audio = AudioCodec.standard(for: video, in: container)
        let error = #expect(throws: RushesError.self) {
            try ContainerRules.check(video: video, audio: audio, in: container, rotation: 90)
        }
        #expect(error?.description.hasSuffix("name the file .mov or .mp4, or leave rotation out") == true)
    }

    @Test(arguments: Container.allCases)
    func theStandardCodecsFitTheirContainer(container: Container) throws {
        for video in VideoCodec.allCases where container.holdsVideo && ContainerRules.allows(video, in: container) {
            try ContainerRules.check(video: video, audio: .standard(for: video, in: container), in: container)
        }
        try ContainerRules.check(video: nil, audio: .standard(for: nil, in: container), in: container)
        guard container.holdsVideo else { return }
        try ContainerRules.check(video: VideoCodec.defaults(for: container)[0], audio: .none, in: container)
    }
}
