import Encoding
import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// What a program, or a batch's manifest from elsewhere, may set is checked before anything is read or written.
struct SettingRangesTests {
    typealias Change = @Sendable (inout ExportSettings) -> Void

    private static let wrong: [(name: String, change: Change)] = [
        ("a part before all movies", { $0.range = TimeRange(start: MediaTime(nanoseconds: .min)) }),
        (
            "a part that ends before it begins, from the end",
            { $0.range = TimeRange(start: -.second, end: -2 * .second) }
        ),
        ("a part of several from the end", { $0.parts = [TimeRange(start: -.second), TimeRange()] }),
        ("a part that ends before it begins", { $0.range = TimeRange(start: .second, end: .second) }),
        ("a part without an end in time", { $0.range = TimeRange(start: .second, end: .max) }),
        ("no parts", { $0.parts = [] }),
        ("one wrong part of two", { $0.parts = [TimeRange(), TimeRange(start: .max)] }),
        ("no frames", { $0.rate = Fraction(0) }), ("a rate without a unit", { $0.rate = Fraction(30, 0) }),
        ("frames backwards", { $0.rate = Fraction(-25) }), ("7 bits", { $0.bitDepth = 7 }),
        ("too good", { $0.rateControl = .quality(1000) }), ("no bits", { $0.rateControl = .bitrate(0) }),
        ("no channels", { $0.channels = 0 }), ("99 channels", { $0.channels = 99 }),
        ("no size", { $0.size = VideoSize(0, 10) }),
        ("a size beyond numbers", { $0.size = VideoSize(1 << 40, 1 << 40) }),
        ("a crop beyond numbers", { $0.crop = CropArea(x: .max, y: 0, size: VideoSize(16, 16)) }),
        ("a crop without pixels", { $0.crop = CropArea(x: 0, y: 0, size: VideoSize(0, 16)) }),
        ("loud", { $0.loudness = 3 }), ("no loudness", { $0.loudness = .nan }), ("no bytes", { $0.targetSize = 0 }),
        ("no similarity", { $0.targetQuality = TargetQuality(.ssim, .nan) }),
    ]

    @Test func `what means nothing is refused with its range, and nothing is opened`() async throws {
        let folder = try TemporaryFolder()
        for (name, change) in Self.wrong {
            var settings = ExportSettings(preset: "h264")
            change(&settings)
            let export = ExportSession(input: FilePath(folder.file("never.mov")), settings: settings)
            let failure = await #expect(throws: RushesError.self, "\(name)") {
                try await export.export(to: MovieDestination(FilePath(folder.file("out.mov"))))
            }
            // The missing input would be `badInput`.
            #expect(failure?.code == .invalidSettings, "\(name): \(String(describing: failure))")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `what each may be is taken`() throws {
        var settings = ExportSettings(preset: "h264")
        settings.parts = [TimeRange(start: .zero, end: .second), TimeRange(start: .longest)]
        (settings.rate, settings.bitDepth, settings.rateControl) = (Fraction(30000, 1001), 10, .quality(100))
        (settings.size, settings.channels, settings.loudness) = (VideoSize(65535, 1), 8, -70)
        settings.crop = CropArea(x: 65535, y: 0, size: VideoSize(1, 1))
        (settings.targetSize, settings.targetQuality) = (1, TargetQuality(.vmaf, 99.9))
        try settings.checkRanges()
    }
}
