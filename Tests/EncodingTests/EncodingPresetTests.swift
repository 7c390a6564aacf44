import Foundation
import GStreamer
import TestSupport
import Testing

@testable import Encoding

@Suite struct EncodingPresetTests {
    static let names = [
        "hevc", "hevc-fast", "hevc-10bit", "h264", "av1", "webm", "prores-proxy", "prores-lt", "prores-422",
        "prores-hq",
        "prores-4444",
    ]

    @Test(arguments: names)
    func aPresetIsAMovieThatItsContainerCanHold(name: String) throws {
        let preset = try PipelineFiles.find().preset(name)
        #expect(preset.name == name)
        try ContainerRules.check(video: preset.video, audio: preset.audio, in: preset.container)
    }

    @Test func whatAPresetSays() throws {
        let files = try PipelineFiles.find()
        let proRes = try files.preset("prores-lt")
        #expect(proRes.container == .mov && proRes.video == .prores && proRes.profile == .lt)
        #expect(proRes.bitDepth == 10 && proRes.audio == .pcm)
        let deep = try files.preset("hevc-10bit")
        let animation = try files.preset("gif")
        #expect(animation.container == .gif && animation.video == .gif && animation.audio == AudioCodec.none)
        #expect(deep.container == .mp4 && deep.video == .hevc && deep.bitDepth == 10 && deep.audio == .aac)
    }

    @Test func everyFileIsTestedHere() throws {
        #expect(PipelineFiles().presets() == (Self.names + ["copy", "gif"]).sorted())
    }

    @Test(.timeLimit(.minutes(10)), arguments: names)
    func gstreamersOwnEncodeBinTakesIt(name: String) async throws {
        let path = Checkout.folder.appending(path: "pipelines/encoding-profiles/\(name).gep").path
        // Everything that encodebin needs is made as soon as its pads are asked for.
        let bin = try Element("encodebin")
        try bin.set("profile", to: .text("\(path):default"))
        _ = try bin.requestPad("video_%u")
        _ = try bin.requestPad("audio_%u")
    }
}
