import Foundation
import TestSupport
import Testing

/// What a camera's colours mean is in the file, for every analyser that looks.
@Suite(.timeLimit(.minutes(25)), .turn) struct ColourTests {
    struct Colour: Sendable, CustomTestStringConvertible {
        var name: String
        var colorimetry: String
        var pixels: String
        var isDeep = false
        /// ffprobe's names: primaries, transfer, matrix, range.
        var expected: [String]
        var testDescription: String { name }
    }

    private static let colours = [
        Colour(name: "bt709", colorimetry: "bt709", pixels: "I420", expected: ["bt709", "bt709", "bt709", "tv"]),
        Colour(
            name: "bt601", colorimetry: "bt601", pixels: "YUY2",
            expected: ["smpte170m", "smpte170m", "smpte170m", "tv"]),
        Colour(
            name: "bt709 full range", colorimetry: "1:3:5:1", pixels: "I420",
            expected: ["bt709", "bt709", "bt709", "pc"]),
        Colour(
            name: "bt2020 HLG", colorimetry: "bt2100-hlg", pixels: "I420_10LE", isDeep: true,
            expected: ["bt2020", "arib-std-b67", "bt2020nc", "tv"]),
        Colour(
            name: "bt2020 PQ", colorimetry: "bt2100-pq", pixels: "P010_10LE", isDeep: true,
            expected: ["bt2020", "smpte2084", "bt2020nc", "tv"]),
    ]

    @Test(arguments: Cases.taken(of: colours, most: 2)) func `primaries, transfer, matrix and range reach the file`(
        colour: Colour
    ) async throws {
        let folder = try TemporaryFolder()
        var takes = [("hevc", "hevc.mov"), ("prores", "prores.mov")]
        if !colour.isDeep { takes += [("h264", "h264.mp4"), ("av1", "av1.mp4")] }
        for (codec, name) in takes {
            let caps =
                "video/x-raw,format=\(colour.pixels),width=320,height=240,framerate=30/1,colorimetry=(string)\(colour.colorimetry)"
            let file = try await Takes.record(
                name, in: folder,
                ["--duration", "0.5", "--codec", codec]
                    + (codec == "prores" || !colour.isDeep ? [] : ["--bit-depth", "10"]),
                sources: [
                    "--camera", "gst:videotestsrc is-live=true ! \(caps)", "--microphone", "none", "--progress", "none",
                ])
            let stream = try #require(try await FFProbe.inspect(file).video.first)
            // ProRes has no range: it is always the limited one, and the encoder converts to it.
            let range = codec == "prores" ? "tv" : colour.expected[3]
            let found = [stream.colorPrimaries, stream.colorTransfer, stream.colorSpace, stream.colorRange].map {
                $0 ?? "unknown"
            }
            #expect(found == Array(colour.expected[..<3]) + [range], "\(codec)")
            let media = try await MediaInfo.inspect(file)
            let frame = try #require(media.video.first)
            #expect(frame["colour_primaries"] != nil && frame["matrix_coefficients"] != nil, "\(codec)")
            if colour.name.hasPrefix("bt2020") { #expect(frame["colour_primaries"] == "BT.2020", "\(codec)") }
            if colour.isDeep { #expect(frame.number("BitDepth") ?? 10 == 10) }
        }
    }
}
