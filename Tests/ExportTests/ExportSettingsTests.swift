import Encoding
import Export
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@Suite struct ExportSettingsTests {
    @Test func `settings come back from a manifest as they went in`() throws {
        var settings = ExportSettings(preset: "prores-hq")
        settings.rateControl = .quality(70)
        settings.audio = .codec(.opus)
        settings.crop = CropArea(x: 2, y: 4, size: VideoSize(640, 360))
        settings.range = TimeRange(start: 1_500_000_000)
        settings.lookupTable = "/looks/film ü.cube"
        let data = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode(ExportSettings.self, from: data) == settings)
        // For people, who read it too.
        #expect(String(decoding: data, as: UTF8.self).contains("film ü.cube"))
    }
}
