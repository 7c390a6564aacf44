import Errors
import GStreamer
import Testing

@testable import Encoding

@Suite struct AudioChoiceTests {
    let tables: EncoderTables
    let software = InstalledElements.these("avenc_aac", "voaacenc", "opusenc", "flacenc", "lamemp3enc", "identity")

    init() throws { tables = try EncoderTables(PipelineFiles.find()) }

    @Test(arguments: [
        (AudioCodec.aac, 48000, "avenc_aac", 48000, 1024),
        (.aac, 47999, "avenc_aac", 48000, 1024),
        (.aac, 192_000, "avenc_aac", 96000, 1024),
        (.opus, 44100, "opusenc", 48000, 312),
        (.opus, 16000, "opusenc", 16000, 104),
        (.flac, 44100, "flacenc", 44100, 0),
        (.mp3, 44100, "lamemp3enc", 44100, 1105),
        (.mp3, 96000, "lamemp3enc", 48000, 1105),
        (.pcm, 44100, "identity", 44100, 0),
    ])
    func aCodecHasItsElementRateAndDelay(codec: AudioCodec, rate: Int, element: String, fed: Int, priming: Int) throws {
        let request = AudioRequest(codec: codec, channels: 2, sampleRate: rate)
        let first = try #require(try tables.audioEncoders(for: request, installed: software).first)
        #expect(first.element == element)
        #expect(first.sampleRate == fed)
        #expect(first.priming == priming)
        // As it is told to people, who know no identity.
        #expect(first.reason.hasSuffix(codec == .pcm ? "PCM" : " with \(element)"))
    }

    @Test func theBitRateGrowsWithTheChannels() throws {
        let found = try tables.audioEncoders(
            for: .init(codec: .aac, channels: 2, sampleRate: 48000), installed: software)
        #expect(found[0].properties == [.init("bitrate", "192000")])
        let asked = try tables.audioEncoders(
            for: .init(codec: .aac, channels: 2, sampleRate: 48000, bitrate: 128_000), installed: software)
        #expect(asked[0].properties == [.init("bitrate", "128000")])
    }

    @Test func `MP3 has a constant bit rate where one is named, and its own quality else`() throws {
        let own = try tables.audioEncoders(
            for: .init(codec: .mp3, channels: 2, sampleRate: 44100), installed: software)
        #expect(own[0].properties == [.init("target", "quality"), .init("quality", "2")])
        let asked = try tables.audioEncoders(
            for: .init(codec: .mp3, channels: 2, sampleRate: 44100, bitrate: 128_000), installed: software)
        #expect(asked[0].properties.contains(.init("target", "bitrate")))
        #expect(asked[0].properties.contains(.init("bitrate", "128")))
    }

    @Test(arguments: [
        (AudioCodec.aac, 2, 48000, 576_000), (.aac, 1, 44100, 264_600), (.opus, 6, 48000, 1_536_000),
        (.mp3, 2, 48000, 320_000),
        (.mp3, 1, 16000, 160_000),
    ])
    func `a bit rate that a codec does not have is refused, with those that it has`(
        codec: AudioCodec, channels: Int, rate: Int, most: Int
    ) throws {
        let request = AudioRequest(codec: codec, channels: channels, sampleRate: rate, bitrate: most)
        let encoder = try tables.audioEncoders(for: request, installed: software)[0]
        try encoder.check(bitrate: most)
        let error = #expect(throws: RushesError.self) { try encoder.check(bitrate: most + 1) }
        #expect(error?.description.contains("to \(most / 1000)k bits a second") == true)
    }

    @Test func anEncoderWithTooFewChannelsIsPassedOver() throws {
        let found = try tables.audioEncoders(
            for: .init(codec: .aac, channels: 6, sampleRate: 48000), installed: software)
        #expect(found.map(\.element) == ["avenc_aac"])
        let error = #expect(throws: RushesError.self) {
            try tables.audioEncoders(
                for: .init(codec: .aac, channels: 6, sampleRate: 48000), installed: .these("voaacenc"))
        }
        #expect(
            error?.description == "AAC holds at most 2 channels here; use channels 2, or audio codec pcm in a .mov file"
        )
    }

    @Test func aMissingEncoderNamesThePackage() {
        let error = #expect(throws: RushesError.self) {
            try tables.audioEncoders(for: .init(codec: .opus, channels: 2, sampleRate: 48000), installed: .these())
        }
        #expect(error?.description == "Opus needs opusenc; install gstreamer1.0-plugins-base")
    }
}
