import GStreamer
import Testing

@testable import Capture

@Suite struct CaptureFormatTests {
    private func formats(_ caps: String) throws -> [String] {
        CaptureFormat.formats(of: try Caps(caps).structures).map {
            "\($0.pixelFormat ?? $0.encoding.rawValue) \($0.size) \($0.rates.map(\.rateText).joined(separator: ","))"
        }
    }

    @Test func `lists of rates and pixel formats are taken apart`() throws {
        #expect(
            try formats(
                "video/x-raw,format={YUY2,NV12},width=640,height=480,framerate={15/1,30/1};"
                    + "image/jpeg,width=1280,height=720,framerate=30/1;"
                    + "video/x-h264,stream-format=byte-stream,width=1920,height=1080,framerate=30000/1001")
                == ["YUY2 640×480 30,15", "NV12 640×480 30,15", "mjpeg 1280×720 30", "h264 1920×1080 29.97"])
    }

    @Test func `ranges are reduced to the end and what people know`() throws {
        #expect(
            try formats("video/x-raw,format=NV12,width=[16,1920,2],height=[16,1080,2],framerate=[1/1,40/1]").first
                == "NV12 1920×1080 40,30,29.97,25,24,23.98,20,15,10,5,1")
        #expect(
            try formats("video/x-raw,format=NV12,width=[16,1280],height=[16,720],framerate=30/1")
                == ["NV12 1280×720 30", "NV12 800×600 30", "NV12 640×480 30", "NV12 640×360 30", "NV12 320×240 30"])
    }

    @Test(arguments: [
        "video/x-bayer,format=rggb,width=640,height=480,framerate=30/1",
        "video/x-raw(format:Interlaced),format=YUY2,width=640,height=480,framerate=25/1,interlace-mode=alternate",
        "video/x-raw(memory:DMABuf),format=DMA_DRM,width=640,height=480,framerate=25/1", "meta/x-klv", "audio/x-raw",
    ]) func `what cannot be recorded is no format`(caps: String) throws {
        #expect(try formats(caps) == [])
    }

    @Test func `a camera without a fixed rate has no rate`() throws {
        #expect(try formats("video/x-raw,format=YUY2,width=640,height=480,framerate=0/1") == ["YUY2 640×480 "])
    }

    @Test func `a mode's caps name every field, so that the source has nothing to choose`() {
        let format = CaptureFormat(
            encoding: .raw, pixelFormat: "YUY2", size: VideoSize(640, 480), rates: [Fraction(30)])
        let caps = format.caps(rate: Fraction(30))
        #expect(caps.isFixed)
        #expect(caps.first?["format"]?.stringValue == "YUY2")
    }

    @Test(arguments: [
        ("30", 30, 1), ("29.97", 30000, 1001), ("23.976", 24000, 1001), ("59.94", 60000, 1001),
        ("30000/1001", 30000, 1001),
        ("60/2", 30, 1), ("12.5", 25, 2), ("7.5", 15, 2), ("1", 1, 1),
    ]) func `a frame rate is read exactly`(text: String, numerator: Int, denominator: Int) {
        #expect(Fraction(frameRate: text) == Fraction(numerator, denominator))
    }

    @Test(arguments: ["", "0", "-1", "x", "1/0", "30/", "1001", "1e3", "30fps"])
    func `what is no frame rate is refused`(text: String) { #expect(Fraction(frameRate: text) == nil) }

    @Test(arguments: ["", "640", "640x", "x480", "0x1", "640x480x3", "-640x480", "99999x1"])
    func `what is no size is refused`(text: String) { #expect(VideoSize(text) == nil) }
}
