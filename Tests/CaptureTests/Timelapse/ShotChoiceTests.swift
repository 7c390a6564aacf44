import Foundation
import GStreamer
import MediaTypes
import TestSupport
import Testing

@testable import Capture

/// Which shots are kept, and how the camera is opened for them.
@Suite struct ShotChoiceTests {
    private static func brightness(_ format: String, _ luma: [UInt8], bytes: Int) throws -> Double? {
        let caps = Caps(
            "video/x-raw",
            [
                "format": .string(format), "width": .int(64), "height": .int(32), "framerate": .fraction(Fraction(30)),
                "colorimetry": .string("bt709"),
            ])
        let frame = (0..<bytes / luma.count).flatMap { _ in luma }
        return frame.withUnsafeBytes {
            MeanLuma.percent(of: Buffer(copying: $0, presentationTime: .zero, duration: nil), caps)
        }
    }

    @Test func `a frame's brightness is that of its luma, whatever its format`() throws {
        for (format, black, gray, size) in [
            ("I420", [UInt8(16)], [UInt8(126)], 64 * 32 * 3 / 2), ("NV12", [16], [126], 64 * 32 * 3 / 2),
            ("YUY2", [16, 200], [126, 9], 64 * 32 * 2), ("UYVY", [200, 16], [9, 126], 64 * 32 * 2),
            ("I420_10LE", [64, 0], [248, 1], 64 * 32 * 3), ("P010_10LE", [0, 16], [0, 126], 64 * 32 * 3),
        ] {
            let dark = try #require(try Self.brightness(format, black, bytes: size))
            let middle = try #require(try Self.brightness(format, gray, bytes: size))
            #expect(dark == 0 && abs(middle - 50.2) < 0.5, "\(format): \(dark), \(middle)")
        }
        #expect(try Self.brightness("RGB", [1, 2, 3], bytes: 64 * 32 * 3) == nil)
    }

    @Test func `a place is read with degrees, minutes and seconds`() {
        #expect(Coordinate(iso6709: "+48.8577+002.295/") == Coordinate(latitude: 48.8577, longitude: 2.295))
        #expect(
            Coordinate(iso6709: "-3351.5+15112.25+035/")
                == Coordinate(latitude: -33 - 51.5 / 60, longitude: 151 + 12.25 / 60))
        #expect(
            Coordinate(iso6709: "+404243-0740026")
                == Coordinate(latitude: 40 + 42.0 / 60 + 43.0 / 3600, longitude: -74 - 26.0 / 3600))
        for text in ["", "48.8+2.3", "+91+002", "+4+002", "+48+181"] {
            #expect(Coordinate(iso6709: text) == nil, "\(text)")
        }
    }

    @Test func `the slowest mode of the largest size is enough, but not slower than shots are taken`() {
        func rates(_ values: Int...) -> [Fraction] { values.map { Fraction($0) } }
        let camera = CaptureDevice(
            id: "a", name: "A", kind: .camera, backend: .v4l2, isDefault: true, path: "/dev/video0",
            formats: [
                CaptureFormat(encoding: .raw, pixelFormat: "YUY2", size: VideoSize(640, 480), rates: rates(30, 15, 5)),
                CaptureFormat(encoding: .mjpeg, pixelFormat: nil, size: VideoSize(1920, 1080), rates: rates(30, 10, 1)),
                CaptureFormat(encoding: .mjpeg, pixelFormat: nil, size: VideoSize(3840, 2160), rates: rates(5)),
            ])
        func request(_ seconds: Double, _ size: VideoSize? = nil) -> FormatRequest {
            FormatRequest(shotsEvery: MediaTime(seconds: seconds), of: camera, size: size, bitDepth: 8)
        }
        #expect(request(60) == FormatRequest(size: VideoSize(1920, 1080), rate: Fraction(10)))
        #expect(request(0.1) == FormatRequest(size: VideoSize(1920, 1080), rate: Fraction(30)))
        #expect(request(60, VideoSize(640, 480)) == FormatRequest(size: VideoSize(640, 480), rate: Fraction(5)))
        // What it has not is refused where it is chosen.
        #expect(request(60, VideoSize(800, 600)) == FormatRequest(size: VideoSize(800, 600)))
    }
}
