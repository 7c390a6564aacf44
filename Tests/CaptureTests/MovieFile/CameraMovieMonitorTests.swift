import MediaTypes
import Testing

@testable import Capture

@Suite struct CameraMovieMonitorTests {
    private let fine = CameraMovieMonitor.Snapshot(name: "Face", waitingFrames: 2, waitingLimit: 90, encodedFrames: 60)

    @Test
    func `an encoder that hands out nothing while its frames wait hangs once the others would have to wait for it`() {
        var monitor = CameraMovieMonitor()
        var snapshot = fine
        snapshot.waitingFrames = 20
        for second in 0...6 { #expect(monitor.evaluate(snapshot, time: second * .second).isHanging == false) }
        snapshot.isHoldingUp = true
        let look = monitor.evaluate(snapshot, time: 7 * .second)
        #expect(look.isHanging)
        #expect(
            look.warnings == ["The encoder of Face's own movie hangs: that movie ends here, and the others continue."])
        let later = monitor.evaluate(snapshot, time: 8 * .second)
        #expect(!later.isHanging && later.warnings.isEmpty && monitor.isOver)
    }

    @Test func `one that is slow, or has nothing to do, does not hang`() {
        var monitor = CameraMovieMonitor()
        var snapshot = fine
        snapshot.isHoldingUp = true
        for second in 0..<60 {
            snapshot.encodedFrames += second % 4 == 0 ? 1 : 0
            #expect(!monitor.evaluate(snapshot, time: second * .second).isHanging)
        }
        snapshot.waitingFrames = 0
        for second in 60..<80 { #expect(!monitor.evaluate(snapshot, time: second * .second).isHanging) }
    }

    @Test func `that it falls behind is told again once it has caught up, that it drops frames once`() {
        var monitor = CameraMovieMonitor()
        var snapshot = fine
        func look() -> [String] { monitor.evaluate(snapshot, time: .second).warnings }
        #expect(look().isEmpty)
        (snapshot.waitingFrames, snapshot.refusedFrames) = (40, 1)
        #expect(
            look() == [
                "The encoder of Face's own movie is falling behind: 40 of 90 buffered frames are waiting for it.",
                "The encoder of Face's own movie cannot keep up: frames are being dropped.",
            ])
        #expect(look().isEmpty)
        snapshot.waitingFrames = 0
        #expect(look() == ["The encoder of Face's own movie has caught up."])
        #expect(look().isEmpty)
        snapshot.waitingFrames = 40
        #expect(look().count == 1)
    }

    @Test func `a file that is deleted is told once, and ends nothing`() {
        var monitor = RecordingMonitor(limits: RecordingLimits())
        var snapshot = RecordingMonitor.Snapshot(freeBytes: 10_000_000_000)
        snapshot.cameraMovies = [fine, fine]
        snapshot.cameraMovies[1].fileLoss = "face.mov was deleted while it was being recorded"
        let look = monitor.evaluate(snapshot)
        #expect(
            look.warnings == [
                "face.mov was deleted while it was being recorded; the recording continues, and that movie will be saved under "
                    + "a free name when it ends."
            ])
        #expect(look.end == nil && look.hanging.isEmpty)
        #expect(monitor.evaluate(snapshot).warnings.isEmpty)
    }

    @Test func `what waits for an encoder that hangs relieves no other`() {
        var monitor = RecordingMonitor(limits: RecordingLimits())
        var snapshot = RecordingMonitor.Snapshot(freeBytes: 10_000_000_000)
        snapshot.cameraMovies = [fine, fine]
        (snapshot.cameraMovies[1].waitingFrames, snapshot.cameraMovies[1].isHoldingUp) = (89, true)
        _ = monitor.evaluate(snapshot)
        #expect(monitor.encoders(snapshot).map(\.backlog.waiting) == [0, 2, 89])
        snapshot.time = 6 * .second
        #expect(monitor.evaluate(snapshot).hanging == [1])
        #expect(monitor.encoders(snapshot).map(\.backlog.waiting) == [0, 2, 0])
    }
}
