import Foundation
import Testing

@testable import Encoding

@Suite struct EncodableCodecTests {
    @Test func everyElementOfEveryTableIsListed() throws {
        let tables = try EncoderTables(PipelineFiles.find())
        let list = tables.encodableCodecs(installed: .these("x264enc"))
        #expect(Set(list.map(\.codec)) == Set(EncoderTables.codecs))
        #expect(list.filter(\.isAvailable).map(\.element) == ["x264enc"])
        #expect(list.first?.codec == "hevc" && list.first?.isHardware == true)
        let names = ["slower", "slow", "medium", "fast", "faster", "veryfast", "superfast", "ultrafast"]
        #expect(list.first { $0.element == "x264enc" }?.speeds == ["placebo", "veryslow"] + names)
        let hevc = Set(list.first { $0.element == "x265enc" }?.speeds ?? [])
        #expect(hevc.isSuperset(of: ["veryslow"] + names))
        #expect(list.first { $0.element == "jpegenc" }?.speeds == [])
    }

    @Test func aLineHasTheNamesOfTheContract() throws {
        let one = EncodableCodec(
            codec: "h264", profiles: ["high"], element: "x264enc", isHardware: false, isAvailable: true,
            speeds: ["medium"], package: "gstreamer1.0-plugins-ugly")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(one), as: UTF8.self)
        #expect(
            json == #"{"available":true,"codec":"h264","element":"x264enc","hardware":false,"package""#
                + #":"gstreamer1.0-plugins-ugly","profiles":["high"],"speeds":["medium"]}"#)
    }
}
