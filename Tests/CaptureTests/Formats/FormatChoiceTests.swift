import Errors
import GStreamer
import Testing

@testable import Capture

/// A camera's formats as a person would note them: "YUY2 1280x720 10,5".
private func camera(_ lines: String...) -> CaptureDevice {
    let formats = lines.map { line -> CaptureFormat in
        let words = line.split(separator: " ").map(String.init)
        let encoding = CaptureFormat.Encoding(rawValue: words[0])
        return CaptureFormat(
            encoding: encoding ?? .raw, pixelFormat: encoding == nil ? words[0] : nil,
            size: VideoSize(words[1]) ?? VideoSize(0, 0),
            rates: words[2].split(separator: ",").compactMap { Fraction(frameRate: String($0)) })
    }
    return CaptureDevice(
        id: "cam", name: "HD Webcam", kind: .camera, backend: .v4l2, path: "/dev/video0", formats: formats)
}

private let webcam = camera(
    "YUY2 1920x1080 5", "YUY2 1280x720 10", "YUY2 640x480 30,15", "mjpeg 1920x1080 30,15", "mjpeg 1280x720 60,30",
    "mjpeg 640x480 30", "h264 1920x1080 30")
private let vivid = camera(
    "YUY2 3840x2160 2", "YUY2 1920x1080 5", "YUY2 1280x720 12.5", "YUY2 640x480 25,15", "YUY2 640x360 40,30,25",
    "YUY2 320x180 60,30", "I420 640x480 25,15", "I420 640x360 40,30,25", "P010_10LE 640x480 25")

@Suite struct FormatChoiceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var camera: CaptureDevice
        var size: String?
        var rate: String?
        var bits = 8
        var copies = false
        var expected: String

        var testDescription: String { "\(size ?? "any size") at \(rate ?? "any rate") \(bits) bit: \(expected)" }
        var request: FormatRequest {
            FormatRequest(
                size: size.flatMap { VideoSize($0) }, rate: rate.flatMap { Fraction(frameRate: $0) }, bitDepth: bits,
                copiesStream: copies)
        }
    }

    @Test(arguments: [
        // A size or rate that is only there compressed is taken compressed.
        Case(camera: webcam, expected: "1920×1080 at 30 mjpeg"),
        Case(camera: webcam, size: "640x480", expected: "640×480 at 30 YUY2"),
        Case(camera: webcam, size: "1280x720", expected: "1280×720 at 30 mjpeg"),
        Case(camera: webcam, size: "1280x720", rate: "10", expected: "1280×720 at 10 YUY2"),
        Case(camera: webcam, rate: "60", expected: "1280×720 at 60 mjpeg"),
        Case(camera: webcam, size: "1920x1080", rate: "5", expected: "1920×1080 at 5 YUY2"),
        // Slower than the camera's slowest mode: the next faster one, and frames are dropped.
        Case(camera: webcam, size: "1280x720", rate: "25", expected: "1280×720 at 30 mjpeg dropping to 25"),
        Case(camera: webcam, size: "640x480", rate: "1", expected: "640×480 at 15 YUY2 dropping to 1"),
        // Its own stream as it comes.
        Case(camera: webcam, copies: true, expected: "1920×1080 at 30 h264"),
        Case(camera: webcam, size: "1280x720", rate: "60", copies: true, expected: "1280×720 at 60 mjpeg"),
        // Smooth before large; the format that needs the least conversion; depth only when it is asked for.
        Case(camera: vivid, expected: "640×480 at 25 I420"),
        Case(camera: vivid, bits: 10, expected: "640×480 at 25 P010_10LE"),
        Case(camera: vivid, size: "1920x1080", expected: "1920×1080 at 5 YUY2"),
        Case(camera: vivid, rate: "30", expected: "640×360 at 30 I420"),
        Case(camera: vivid, rate: "50", expected: "320×180 at 60 YUY2 dropping to 50"),
        // Television's rates are their decimal forms, and not the whole numbers beside them.
        Case(camera: camera("NV12 1280x720 30,29.97,25"), rate: "29.97", expected: "1280×720 at 29.97 NV12"),
        Case(camera: camera("NV12 1280x720 29.97"), expected: "1280×720 at 29.97 NV12"),
        // Only more than 1080p, only more than 30, only infrared.
        Case(camera: camera("NV12 3840x2160 30", "NV12 2560x1440 30"), expected: "2560×1440 at 30 NV12"),
        Case(camera: camera("NV12 1280x720 120,60"), expected: "1280×720 at 60 NV12"),
        Case(camera: camera("GRAY8 640x360 30"), expected: "640×360 at 30 GRAY8"),
        Case(camera: camera("GRAY8 1920x1080 30", "YUY2 640x480 30"), expected: "640×480 at 30 YUY2"),
        // A phone's camera held upright.
        Case(camera: camera("NV12 1080x1920 30", "NV12 720x1280 30"), expected: "1080×1920 at 30 NV12"),
    ]) func `the mode is chosen`(_ test: Case) throws {
        let choice = try FormatChoice(of: test.camera, test.request)
        let drop = choice.dropToRate.map { " dropping to \($0.rateText)" } ?? ""
        #expect(
            "\(choice.words) \(choice.format.pixelFormat ?? choice.format.encoding.rawValue)\(drop)" == test.expected)
    }

    @Test(arguments: [
        Case(
            camera: webcam, size: "1920x1080", rate: "60",
            expected: "HD Webcam has no 1920×1080 at 60; the nearest are 1920×1080 at 30 and 1280×720 at 60"),
        Case(
            camera: webcam, size: "1300x700",
            expected: "HD Webcam has no 1300×700; the nearest are 1280×720 and 640×480"),
        Case(
            camera: webcam, rate: "120",
            expected: "HD Webcam has no 120 frames a second; the nearest is 1280×720 at 60"),
        Case(
            camera: camera("YUY2 640x480 30"), size: "800x600",
            expected: "HD Webcam has no 800×600; the nearest is 640×480"),
        Case(
            camera: vivid, copies: true,
            expected: "HD Webcam has no compressed stream to copy; choose a codec to encode with"),
        Case(
            camera: camera("YUY2 640x480 0"),
            expected:
                "HD Webcam offers no format with a fixed frame rate that can be recorded; pick another camera for the session"
        ),
    ]) func `what the camera lacks is refused with the nearest that it has`(_ test: Case) {
        let error = #expect(throws: RushesError.self) { try FormatChoice(of: test.camera, test.request) }
        #expect(error?.description == test.expected)
        #expect(error?.code == .unsupportedFormat && error?.subject == "HD Webcam")
    }
}
