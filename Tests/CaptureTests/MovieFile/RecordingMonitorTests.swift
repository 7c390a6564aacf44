import MediaTypes
import MovieFiles
import Testing

@testable import Capture

@Suite struct RecordingMonitorTests {
    private let fine = RecordingMonitor.Sight(
        bytes: 1_000_000, freeBytes: 10_000_000_000, duration: 2 * .second, camera: .init(name: "Camera"),
        microphones: [.init(name: "Microphone")])

    @Test func `while all is well nothing is said`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        let (_, warnings, end, _) = watch.look(at: fine)
        #expect(warnings.isEmpty)
        #expect(end == nil)
    }

    @Test func `a lost microphone is told once, and the take goes on`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.microphones[0].state = .lost("Disconnected")
        let first = watch.look(at: sight)
        #expect(first.warnings == ["Microphone is lost (Disconnected); the recording continues without sound."])
        #expect(first.end == nil)
        #expect(watch.look(at: sight).warnings.isEmpty)
        // That it is back it tells itself; for the last line it is remembered.
        #expect(watch.losses.map(\.end) == [nil])
        sight.microphones[0].state = .running
        sight.duration = 9 * .second
        #expect(watch.look(at: sight).warnings.isEmpty)
        #expect(watch.losses.map(\.end) == [9 * .second] && watch.losses.map(\.successor) == [nil])
        sight.microphones[0].state = .lost("Disconnected")
        #expect(watch.look(at: sight).warnings == first.warnings)
        sight.microphones = [.init(name: "Another")]
        _ = watch.look(at: sight)
        #expect(watch.losses.map(\.successor) == [nil, "Another"])
    }

    @Test func `one of two microphones is lost by name, and only both are the end where there is no camera`() {
        for hasCamera in [true, false] {
            var watch = RecordingMonitor(limits: RecordingLimits())
            var sight = fine
            if !hasCamera { sight.camera = nil }
            sight.microphones = [.init(name: "Desk"), .init(name: "Speakers")]
            sight.microphones[1].state = .lost("unplugged")
            let first = watch.look(at: sight)
            #expect(
                first.warnings == [
                    "Speakers is lost (unplugged); silence is recorded in its place, and the other microphone as before."
                ])
            #expect(first.end == nil && watch.losses.map(\.name) == ["Speakers"])
            sight.microphones[0].state = .lost("gone")
            let second = watch.look(at: sight)
            #expect(second.end == (hasCamera ? nil : .deviceLost("Desk", "gone")))
            #expect(
                second.warnings
                    == (hasCamera ? ["Desk is lost (gone); the recording continues without sound."] : []))
            guard hasCamera else { continue }
            sight.microphones[1].state = .running
            sight.duration = 5 * .second
            _ = watch.look(at: sight)
            #expect(watch.losses.map(\.end) == [5 * .second, nil])
        }
        var watch = RecordingMonitor(limits: RecordingLimits(endsOnDeviceLoss: true))
        var sight = fine
        sight.microphones = [.init(name: "Desk"), .init(name: "Speakers", state: .lost("unplugged"))]
        #expect(watch.look(at: sight).end == .deviceLost("Speakers", "unplugged"))
    }

    @Test func `a camera that says nothing is told, and when it delivers again`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.camera?.silence = .second
        #expect(
            watch.look(at: sight).warnings
                == ["Camera has not delivered a frame for a second; its last one stays until it does."])
        #expect(watch.look(at: sight).warnings.isEmpty)
        sight.camera?.silence = nil
        #expect(watch.look(at: sight).warnings == ["Camera delivers frames again."])
        // One of two frames a second.
        sight.camera?.silence = 2 * .second
        #expect(
            watch.look(at: sight).warnings
                == ["Camera has not delivered a frame for 2 seconds; its last one stays until it does."])
    }

    @Test func `a lost camera ends the take, as does a lost microphone without a camera`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.camera?.state = .lost("unplugged")
        #expect(watch.look(at: sight).end == .deviceLost("Camera", "unplugged"))
        sight.camera = nil
        sight.microphones[0].state = .lost("gone")
        #expect(watch.look(at: sight).end == .deviceLost("Microphone", "gone"))
    }

    @Test func `a limit of the size counts what is under way`() {
        var watch = RecordingMonitor(limits: RecordingLimits(maxRecordedFileSize: 1_600_000))
        #expect(watch.look(at: fine).end == nil)
        var sight = fine
        sight.bytes = 1_100_000
        #expect(watch.look(at: sight).end == .maximumSizeReached)
    }

    @Test func `too little space ends the take; where the system says nothing it goes on`() {
        var watch = RecordingMonitor(limits: RecordingLimits(minFreeDiskSpaceLimit: 50_000_000))
        var sight = fine
        sight.freeBytes = 50_100_000
        #expect(watch.look(at: sight).end == .minimumFreeSpaceReached)
        sight.freeBytes = nil
        #expect(watch.look(at: sight).end == nil)
    }

    @Test func `a disk that is too slow is warned about, then ends the take before memory is short`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.waitingAudio = 5 * .second
        #expect(watch.look(at: sight).warnings.count == 1)
        #expect(watch.look(at: sight).warnings.isEmpty)
        sight.waitingAudio = 21 * .second
        #expect(watch.look(at: sight).end?.isIntended == false)
    }

    @Test func `an encoder that falls behind is told first, and again when it has caught up`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        (sight.waitingFrames, sight.waitingLimit) = (20, 72)
        #expect(watch.look(at: sight).warnings.isEmpty)
        (sight.waitingFrames, sight.droppedFrames) = (72, 3)
        let first = watch.look(at: sight).warnings
        #expect(first.count == 2)
        #expect(first.first == "The encoder is falling behind: 72 of 72 buffered frames are waiting for it.")
        sight.waitingFrames = 30
        #expect(watch.look(at: sight).warnings.isEmpty)
        sight.waitingFrames = 1
        #expect(watch.look(at: sight).warnings.isEmpty)
        sight.waitingFrames = 40
        sight.pressure.cores = (2, 0.6)
        #expect(
            watch.look(at: sight).warnings == [
                "The encoder is falling behind: 40 of 72 buffered frames are waiting for it; other programs are using 1.4 of 2 cores."
            ])
    }

    @Test func `what failed in writing comes before everything else`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.writingFailure = "the disk is full"
        sight.camera?.state = .lost("unplugged")
        #expect(watch.look(at: sight).end == .writingFailed("the disk is full"))
    }

    @Test func `each of several cameras that is lost is told once and listed, unless all are`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.composed = [.init(name: "Slides"), .init(name: "Face", state: .lost("unplugged"))]
        #expect(
            watch.look(at: sight).warnings == [
                "Face is lost (unplugged); the recording continues with the other cameras."
            ])
        sight.composed[0].state = .lost("asleep")
        let (_, warnings, end, _) = watch.look(at: sight)
        #expect(warnings == ["Slides is lost (asleep); the recording continues with the other cameras."] && end == nil)
        #expect(watch.look(at: sight).warnings.isEmpty)
        #expect(watch.losses.map(\.name) == ["Face", "Slides"])
        sight.composed[1].state = .running
        sight.duration = 9 * .second
        #expect(watch.look(at: sight).warnings == ["Face is back and is being recorded again."])
        #expect(watch.look(at: sight).warnings.isEmpty)
        #expect(watch.losses.map(\.end) == [9 * .second, nil])
        sight.composed[1].state = .lost("unplugged")
        #expect(watch.look(at: sight).warnings.count == 1 && watch.losses.count == 3)
        sight.camera?.state = .lost("asleep")
        #expect(watch.look(at: sight).end == .deviceLost("Camera", "asleep"))
    }

    @Test func `a camera that may come back is waited for, as long as there is audio`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        let first = watch.look(at: sight)
        #expect(first.end == nil)
        #expect(
            first.warnings == ["Camera is lost (unplugged); the recording continues without frames until it is back."])
        (sight.time, sight.duration) = (3600 * .second, 3600 * .second)
        let later = watch.look(at: sight)
        #expect(later.end == nil && later.warnings.isEmpty)
        sight.camera?.state = .running
        #expect(watch.look(at: sight).warnings == ["Camera is back and is being recorded again."])
        #expect(watch.losses.map(\.time) == [2 * .second] && watch.losses.map(\.end) == [3600 * .second])
    }

    @Test func `where nothing else is recorded it is waited for ten seconds`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var sight = fine
        sight.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        sight.microphones = []
        let first = watch.look(at: sight)
        #expect(
            first.warnings == [
                "Camera is lost (unplugged); nothing else is being recorded, so the recording ends if it is not back in 10 seconds."
            ])
        sight.time = 9 * .second
        #expect(first.end == nil && watch.look(at: sight).end == nil)
        sight.time = 10 * .second
        #expect(watch.look(at: sight).end == .deviceLost("Camera", "unplugged"))
    }

    @Test func `a stream that is copied, and a take that is to end, do not go on without a camera`() {
        var sight = fine
        sight.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        sight.isEncoded = false
        var watch = RecordingMonitor(limits: RecordingLimits())
        #expect(watch.look(at: sight).end == .deviceLost("Camera", "unplugged"))
        sight.isEncoded = true
        var strict = RecordingMonitor(limits: RecordingLimits(endsOnDeviceLoss: true))
        #expect(strict.look(at: sight).end == .deviceLost("Camera", "unplugged"))
        // The same of a microphone, and of one of several cameras.
        sight.camera?.state = .running
        sight.microphones[0].state = .lost("gone")
        #expect(strict.look(at: sight).end == .deviceLost("Microphone", "gone"))
        sight.microphones[0].state = .running
        sight.composed = [.init(name: "Slides"), .init(name: "Face", state: .lost("asleep"))]
        #expect(strict.look(at: sight).end == .deviceLost("Face", "asleep"))
    }
}
