import Errors
import Foundation
import GStreamer
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// What cannot be, ends or waits.
extension PhotoOutputTests {
    @Test func `what cannot be is refused in one sentence, and leaves no file`() async throws {
        let idle = PhotoOutput()
        await expect(.notRunning, "add it to one") { _ = try await idle.capturePhoto(to: path("a.jpg")) }
        let stopped = CaptureSession()
        try await stopped.addOutput(idle)
        await expect(.notRunning, "start the session") { _ = try await idle.capturePhoto(to: path("a.jpg")) }
        let (session, output) = try await session()
        await isReady(output)
        await expect(.invalidSettings, ".jpg, .jpeg or .png") { _ = try await output.capturePhoto(to: path("a.gif")) }
        await expect(.noFolder, "does not exist") { _ = try await output.capturePhoto(to: path("none/a.jpg")) }
        await expect(.invalidSettings, "1 to 100") { _ = try await output.captureBurst(of: 0, to: path("a.jpg")) }
        await expect(.badSource, "another session") { try await stopped.addOutput(output) }
        try Data("mine".utf8).write(to: URL(filePath: folder.file("taken.jpg")))
        await expect(.fileExists, "already exists") { _ = try await output.capturePhoto(to: path("taken.jpg")) }
        #expect(try Data(contentsOf: URL(filePath: folder.file("taken.jpg"))) == Data("mine".utf8))
        let burst = try await output.captureBurst(of: 2, to: path("taken.jpg"))
        #expect(burst.map(\.path) == [path("taken 2.jpg"), path("taken 3.jpg")])
        await session.stop()
        await expect(.notRunning, "start the session") { _ = try await output.capturePhoto(to: path("a.jpg")) }
        #expect(folder.contents == ["taken 2.jpg", "taken 3.jpg", "taken.jpg"])
    }

    @Test func `a folder that goes away during a burst ends it, and what was written stays`() async throws {
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        let (session, output) = try await session()
        await isReady(output)
        var written = 0
        await expect(.noFolder, "not there any more") {
            for try await _ in output.capture(50, to: path("out/a.jpg"), PhotoSettings(), isNumbered: true) {
                written += 1
                if written == 3 {
                    try FileManager.default.moveItem(atPath: folder.file("out"), toPath: folder.file("gone"))
                }
            }
        }
        await session.stop()
        #expect(written >= 3 && FileManager.default.fileExists(atPath: folder.file("gone/a 3.jpg")))
    }

    @Test func `a session that stops, or a camera that ends, ends what is on its way`() async throws {
        // Frames are so seldom that the photo waits for the next one.
        let (session, output) = try await session(
            TestTake.camera(
                "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=180,framerate=1/4"))
        await isReady(output)
        async let waiting: Void = expect(.notRunning, "was closed before") {
            _ = try await output.capturePhoto(to: path("a.jpg"))
        }
        for await readiness in output.readiness where readiness == .ready { break }
        try await Task.sleep(for: .seconds(2))
        await session.stop()
        await waiting
        for await readiness in output.readiness {
            #expect(readiness == .notReady)
            break
        }

        let (other, second) = try await self.session(
            TestTake.camera(
                "videotestsrc is-live=true num-buffers=60 ! video/x-raw,format=I420,width=320,height=180,framerate=10/1"
            ))
        await isReady(second)
        await expect(.deviceFailed, "was lost") { _ = try await second.captureBurst(of: 100, to: path("b.jpg")) }
        for await readiness in second.readiness where readiness == .notReady { break }
        await other.stop()
        #expect(!folder.contents.contains("a.jpg") && folder.contents.contains("b.jpg"))
    }

    @Test func `where too many frames wait to be written, the shutter button is told`() async throws {
        #expect(PhotoSpace.limit(frameBytes: 1920 * 1080 * 3 / 2) >= 20)
        #expect(PhotoSpace.limit(frameBytes: 3840 * 2160 * 2) == 4)
        // As many as a large frame allows.
        let (session, output) = try await session(
            TestTake.camera(
                "videotestsrc is-live=true ! video/x-raw,format=I420,width=3840,height=2160,framerate=30/1"))
        let told = Task {
            for await readiness in output.readiness { if case .busy(let waiting) = readiness { return waiting } }
            return 0
        }
        await isReady(output)
        let photos = try await output.captureBurst(of: 7, to: path("large.png"))
        #expect(photos.count == 7 && Set(photos.map(\.time)).count == 7)
        #expect(await told.value == PhotoSpace.limit(frameBytes: 3840 * 2160 * 3 / 2))
        await isReady(output)
        await session.stop()
    }
}
