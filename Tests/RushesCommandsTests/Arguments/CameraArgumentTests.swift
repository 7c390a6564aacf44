import ArgumentParser
import MediaTypes
import Testing

@testable import RushesCommands

@Suite struct CameraArgumentTests {
    @Test(arguments: [
        ("face", "face", 0, false), ("face,mirror", "face", 0, true), ("face,rotate=90,mirror", "face", 90, true),
        ("face,mirror,rotate=270", "face", 270, true),
        ("test:pattern=ball,rate=30,rotate=180", "test:pattern=ball,rate=30", 180, false),
        ("Cameras, Inc. mirror", "Cameras, Inc. mirror", 0, false), ("mirror", "mirror", 0, false),
        ("face,", "face,", 0, false),
        ("gst:videotestsrc ! video/x-raw,rate=1,mirror", "gst:videotestsrc ! video/x-raw,rate=1", 0, true),
    ])
    func `how a camera hangs stands behind it`(text: String, source: String, degrees: Int, isMirrored: Bool) throws {
        let camera = try CameraArgument(text)
        #expect(camera.source == source)
        #expect(camera.orientation.rotation.rawValue == degrees && camera.orientation.isMirrored == isMirrored)
    }

    @Test func `a camera's size and rate stand behind it too, but not behind a test pattern's own`() throws {
        let camera = try CameraArgument("face,size=640x480,rotate=90,rate=15")
        #expect(camera.source == "face" && camera.size == VideoSize(640, 480) && camera.rate?.fraction == Fraction(15))
        #expect(camera.orientation.rotation.rawValue == 90)
        for own in ["test:size=640x480,rate=15", "gst:videotestsrc ! video/x-raw,rate=1,size=2x2"] {
            let camera = try CameraArgument(own)
            #expect(camera.source == own && camera.size == nil && camera.rate == nil)
        }
    }

    @Test(arguments: ["test,mirror=yes", "face,rotate", "face,size,mirror", "face,rate"])
    func `an option that lacks its value, or has one too many, is no part of a name`(text: String) {
        let error = #expect(throws: ValidationError.self) { try CameraArgument(text) }
        #expect(error?.message.hasPrefix("A camera may be followed by rotate=90, mirror") == true)
        for text in ["desk,gain", "desk,mute=1"] {
            #expect(throws: ValidationError.self) { try MicrophoneArgument(text) }
        }
    }

    @Test(arguments: [
        "face,size=640", "face,rate=fast", "face,rotate=45", "face,rotate=", "face,rotate=quarter,mirror",
        "test,rotate=-90",
    ])
    func `an angle that is none is refused`(text: String) {
        #expect(throws: (any Error).self) { try CameraArgument(text) }
    }
}
