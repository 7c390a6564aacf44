import Foundation
import TestSupport
import Testing

/// What lies between the start of the command and the first frame of the movie.
@Suite(.timeLimit(.minutes(25)), .turn) struct RecordingStartTests {
    @Test func `what encodes the audio is loaded while the camera has given no frame yet`() async throws {
        let folder = try TemporaryFolder()
        let log = folder.file("log")
        let camera =
            "gst:videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! valve drop=true"
        let result = try await BuiltCommand.rushes.run(
            ["record", "--camera", camera, "--microphone", "test", "--codec", "h264", "--progress", "none", "a.mov"],
            environment: [
                "GST_DEBUG": "GST_PLUGIN_LOADING:5", "GST_DEBUG_FILE": log, "GST_DEBUG_NO_COLOR": "1",
            ], folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("has not delivered a frame"), "\(result)")
        let loaded = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasSuffix("\" loaded") }
        #expect(loaded.contains { $0.contains("libgstlibav.so") }, "\(loaded)")
        // What the frames need is known with the first.
        #expect(!loaded.contains { $0.contains("libgstx264.so") }, "\(loaded)")
    }
}
