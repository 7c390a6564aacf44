import MediaTypes
import Testing

@testable import Capture

@Suite struct CameraMovieMonitorTests {
    private let fine = CameraMovieMonitor.Sight(name: "Face", waitingFrames: 2, waitingLimit: 90, encodedFrames: 60)

    @Test
    func `an encoder that hands out nothing while its frames wait hangs once the others would have to wait for it`() {
        var monitor = CameraMovieMonitor()
        var sight = fine
        sight.waitingFrames = 20
        for second in 0...6 { #expect(monitor.look(at: sight, time: second * .second).isHanging == false) }
        sight.isHoldingUp = true
        let look = monitor.look(at: sight, time: 7 * .second)
        #expect(look.isHanging)
        #expect(
            look.warnings == ["The encoder of Face's own movie hangs: that movie ends here, and the others continue."])
        let later = monitor.look(at: sight, time: 8 * .second)
        #expect(!later.isHanging && later.warnings.isEmpty && monitor.isOver)
    }

    @Test func `one that is slow, or has nothing to do, does not hang`() {
        var monitor = CameraMovieMonitor()
        var sight = fine
        sight.isHoldingUp = true
        for second in 0..<60 {
            sight.encodedFrames += second % 4 == 0 ? 1 : 0
            #expect(!monitor.look(at: sight, time: second * .second).isHanging)
        }
        sight.waitingFrames = 0
        for second in 60..<80 { #expect(!monitor.look(at: sight, time: second * .second).isHanging) }
    }

    @Test func `that it falls behind is told again once it has caught up, that it drops frames once`() {
        var monitor = CameraMovieMonitor()
        var sight = fine
        func look() -> [String] { monitor.look(at: sight, time: .second).warnings }
        #expect(look().isEmpty)
        (sight.waitingFrames, sight.refusedFrames) = (40, 1)
        #expect(
            look() == [
                "The encoder of Face's own movie is falling behind: 40 of 90 buffered frames are waiting for it.",
                "The encoder of Face's own movie cannot keep up: frames are being dropped.",
            ])
        #expect(look().isEmpty)
        sight.waitingFrames = 0
        #expect(look().isEmpty)
        sight.waitingFrames = 40
        #expect(look().count == 1)
    }

    @Test func `a file that is deleted is told once, and ends nothing`() {
        var monitor = RecordingMonitor(limits: RecordingLimits())
        var sight = RecordingMonitor.Sight(freeBytes: 10_000_000_000)
        sight.cameraMovies = [fine, fine]
        sight.cameraMovies[1].fileLoss = "face.mov was deleted while it was being recorded"
        let look = monitor.look(at: sight)
        #expect(
            look.warnings == [
                "face.mov was deleted while it was being recorded; the recording continues, and that movie will be saved under "
                    + "a free name when it ends."
            ])
        #expect(look.end == nil && look.hanging.isEmpty)
        #expect(monitor.look(at: sight).warnings.isEmpty)
    }

    @Test func `what waits for an encoder that hangs relieves no other`() {
        var monitor = RecordingMonitor(limits: RecordingLimits())
        var sight = RecordingMonitor.Sight(freeBytes: 10_000_000_000)
        sight.cameraMovies = [fine, fine]
        (sight.cameraMovies[1].waitingFrames, sight.cameraMovies[1].isHoldingUp) = (89, true)
        _ = monitor.look(at: sight)
        #expect(monitor.encoders(sight).map(\.backlog.waiting) == [0, 2, 89])
        sight.time = 6 * .second
        #expect(monitor.look(at: sight).hanging == [1])
        #expect(monitor.encoders(sight).map(\.backlog.waiting) == [0, 2, 0])
    }
}
