import Testing

@testable import RushesCommands

@Suite struct PresetNameTests {
    @Test(arguments: [
        ("hevc", "hevc"), ("HEVC-Fast", "hevc-fast"), ("h265", "hevc"), ("H.264", "h264"), ("x264", "h264"),
        ("copy", "copy"), ("GIF", "gif"),
        ("prores", "prores-hq"), ("prores-422", "prores-422"), ("vp9", "webm"), ("hevec", "hevec"),
        ("Own/H264.gep", "Own/H264.gep"), ("H265.gep", "H265.gep"),
    ])
    func `a preset is found by its codec, in letters of either case`(_ typed: String, _ name: String) {
        #expect(PresetList.name(typed) == name)
    }
}
