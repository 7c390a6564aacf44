import MediaTypes
import MovieFiles
import Testing

@testable import Capture

@Suite struct RecordingMonitorTests {
    private let fine = RecordingMonitor.Snapshot(
        bytes: 1_000_000, freeBytes: 10_000_000_000, duration: 2 * .second, encoded: 2 * .second,
        camera: .init(name: "Camera"),
        microphones: [.init(name: "Microphone")])

    @Test func `while all is well nothing is said`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        let (_, warnings, end, _) = watch.evaluate(fine)
        #expect(warnings.isEmpty)
        #expect(end == nil)
    }

    @Test func `a lost microphone is told once, and the take goes on`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.microphones[0].state = .lost("Disconnected")
        let first = watch.evaluate(snapshot)
        #expect(first.warnings == ["Microphone is lost (Disconnected); the recording continues without sound."])
        #expect(first.end == nil)
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        // That it is back it tells itself; for the last line it is remembered.
        #expect(watch.devices.losses.map(\.end) == [nil])
        snapshot.microphones[0].state = .running
        snapshot.encoded = 9 * .second
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        #expect(watch.devices.losses.map(\.end) == [9 * .second] && watch.devices.losses.map(\.successor) == [nil])
        snapshot.microphones[0].state = .lost("Disconnected")
        #expect(watch.evaluate(snapshot).warnings == first.warnings)
        snapshot.microphones = [.init(name: "Another")]
        _ = watch.evaluate(snapshot)
        #expect(watch.devices.losses.map(\.successor) == [nil, "Another"])
    }

    @Test func `one of two microphones is lost by name, and only both are the end where there is no camera`() {
        for hasCamera in [true, false] {
            var watch = RecordingMonitor(limits: RecordingLimits())
            var snapshot = fine
            if !hasCamera { snapshot.camera = nil }
            snapshot.microphones = [.init(name: "Desk"), .init(name: "Speakers")]
            snapshot.microphones[1].state = .lost("unplugged")
            let first = watch.evaluate(snapshot)
            #expect(
                first.warnings == [
                    "Speakers is lost (unplugged); silence is recorded in its place, and the other microphone as before."
                ])
            #expect(first.end == nil && watch.devices.losses.map(\.name) == ["Speakers"])
            snapshot.microphones[0].state = .lost("gone")
            let second = watch.evaluate(snapshot)
            #expect(second.end == (hasCamera ? nil : .deviceLost("Desk", "gone")))
            #expect(
                second.warnings
                    == (hasCamera ? ["Desk is lost (gone); the recording continues without sound."] : []))
            guard hasCamera else { continue }
            snapshot.microphones[1].state = .running
            snapshot.encoded = 5 * .second
            _ = watch.evaluate(snapshot)
            #expect(watch.devices.losses.map(\.end) == [5 * .second, nil])
        }
        var watch = RecordingMonitor(limits: RecordingLimits(endsOnDeviceLoss: true))
        var snapshot = fine
        snapshot.microphones = [.init(name: "Desk"), .init(name: "Speakers", state: .lost("unplugged"))]
        #expect(watch.evaluate(snapshot).end == .deviceLost("Speakers", "unplugged"))
    }

    @Test func `a camera that says nothing is told, and when it delivers again`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.camera?.silence = .second
        #expect(
            watch.evaluate(snapshot).warnings
                == ["Camera has not delivered a frame for a second; its last one stays until it does."])
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        snapshot.camera?.silence = nil
        #expect(watch.evaluate(snapshot).warnings == ["Camera delivers frames again."])
        // One of two frames a second.
        snapshot.camera?.silence = 2 * .second
        #expect(
            watch.evaluate(snapshot).warnings
                == ["Camera has not delivered a frame for 2 seconds; its last one stays until it does."])
    }

    @Test func `a lost camera ends the take, as does a lost microphone without a camera`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.camera?.state = .lost("unplugged")
        #expect(watch.evaluate(snapshot).end == .deviceLost("Camera", "unplugged"))
        snapshot.camera = nil
        snapshot.microphones[0].state = .lost("gone")
        #expect(watch.evaluate(snapshot).end == .deviceLost("Microphone", "gone"))
    }

    @Test func `a microphone alone that may return is waited for, and the movie ends where it was lost`() {
        var snapshot = fine
        snapshot.camera = nil
        snapshot.microphones[0].returns = true
        func lose(_ watch: inout RecordingMonitor, at seconds: Int) -> RecordingEndReason? {
            (snapshot.microphones[0].state, snapshot.time) = (.lost("gone"), seconds * .second)
            return watch.evaluate(snapshot).end
        }
        var watch = RecordingMonitor(limits: RecordingLimits())
        #expect(lose(&watch, at: 1) == nil && lose(&watch, at: 10) == nil)
        #expect(watch.devices.losses.map(\.name) == ["Microphone"])
        (snapshot.microphones[0].state, snapshot.time) = (.running, 10 * .second)
        #expect(watch.evaluate(snapshot).end == nil && watch.devices.losses.first?.end != nil)
        #expect(lose(&watch, at: 20) == nil && lose(&watch, at: 29) == nil)
        let reason = lose(&watch, at: 30)
        #expect(reason == .deviceLost("Microphone", "gone"))
        #expect(reason.flatMap { watch.devices.lastLoss($0) } == 20 * .second)
        var strict = RecordingMonitor(limits: RecordingLimits(endsOnDeviceLoss: true))
        #expect(lose(&strict, at: 1) != nil)
    }

    @Test func `an encoder that hands out nothing while frames wait has stopped, unless it is the disk`() {
        func end(delay: MediaTime, encoded: (Int) -> Int) -> (RecordingEndReason?, seconds: Int) {
            var watch = RecordingMonitor(limits: RecordingLimits())
            var snapshot = fine
            for second in 0..<60 {
                (snapshot.time, snapshot.waitingFrames, snapshot.waitingLimit) = (second * .second, 30, 90)
                (snapshot.encodedFrames, snapshot.pressure.diskDelay) = (encoded(second), delay)
                if let end = watch.evaluate(snapshot).end { return (end, second) }
            }
            return (nil, 60)
        }
        let (reason, seconds) = end(delay: .zero) { min($0, 20) }
        guard case .writingFailed(let words)? = reason else { return #expect(Bool(false), "\(reason as Any)") }
        #expect(words.contains("the encoder has stopped") && (30...32).contains(seconds), "\(seconds)")
        #expect(end(delay: .zero) { $0 }.0 == nil)
        #expect(end(delay: 3 * .second) { min($0, 20) }.0 == nil)
    }

    @Test func `a limit of the size counts what is under way`() {
        var watch = RecordingMonitor(limits: RecordingLimits(maxRecordedFileSize: 1_600_000))
        #expect(watch.evaluate(fine).end == nil)
        var snapshot = fine
        snapshot.bytes = 1_100_000
        #expect(watch.evaluate(snapshot).end == .maximumSizeReached)
        // What was deleted for newer files is there no more.
        snapshot.deletedBytes = 600_000
        #expect(watch.evaluate(snapshot).end == nil)
    }

    @Test func `a limit of the size counts what waits for the encoders`() {
        var watch = RecordingMonitor(limits: RecordingLimits(maxRecordedFileSize: 10_000_000))
        var snapshot = RecordingMonitor.Snapshot()
        (snapshot.duration, snapshot.encoded, snapshot.bytes) = (10 * .second, 10 * .second, 3_000_000)
        #expect(watch.evaluate(snapshot).end == nil)
        // Of ten seconds three are written: seven as large wait.
        (snapshot.encodedFrames, snapshot.waitingFrames, snapshot.waitingLimit) = (90, 210, 300)
        #expect(watch.evaluate(snapshot).end == .maximumSizeReached)
        snapshot.waitingFrames = 30
        #expect(watch.evaluate(snapshot).end == nil)
        // A file was refused something.
        snapshot.isFull = true
        #expect(watch.evaluate(snapshot).end == .maximumSizeReached)
    }

    @Test func `too little space ends the take; where the system says nothing it goes on`() {
        var watch = RecordingMonitor(limits: RecordingLimits(minFreeDiskSpaceLimit: 50_000_000))
        var snapshot = fine
        snapshot.freeBytes = 50_100_000
        #expect(watch.evaluate(snapshot).end == .minimumFreeSpaceReached)
        snapshot.freeBytes = nil
        #expect(watch.evaluate(snapshot).end == nil)
        // Where none is to stay free, the disk says when it is full.
        var whole = RecordingMonitor(limits: RecordingLimits(minFreeDiskSpaceLimit: 0))
        snapshot.freeBytes = 0
        #expect(whole.evaluate(snapshot).end == nil)
    }

    @Test func `a disk that is too slow is warned about, then ends the take before memory is short`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.waitingAudio = 5 * .second
        #expect(watch.evaluate(snapshot).warnings.count == 1)
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        snapshot.waitingAudio = 21 * .second
        #expect(watch.evaluate(snapshot).end?.isIntended == false)
    }

    @Test func `audio that waits because the process stood still is no slow disk`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        func look(after time: MediaTime, waiting: MediaTime) -> (warnings: [String], end: RecordingEndReason?) {
            snapshot.time += time
            snapshot.waitingAudio = waiting
            let seen = watch.evaluate(snapshot)
            return (seen.warnings, seen.end)
        }
        _ = look(after: .zero, waiting: .zero)
        for (time, waiting) in [(3600, 3600), (1, 3000), (1, 1500), (1, 1504)] {
            let seen = look(after: (time == 1 ? .second / 2 : time * .second), waiting: waiting * .second)
            #expect(seen.warnings.isEmpty && seen.end == nil, "\(seen)")
        }
        // From then on it is slow.
        #expect(look(after: .second / 2, waiting: 1505 * .second).warnings.count == 1)
        #expect(
            look(after: .second / 2, waiting: 1521 * .second).end
                == .writingFailed("the disk is too slow for this recording"))
    }

    @Test func `an encoder that falls behind is told first, and again when it has caught up`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        (snapshot.waitingFrames, snapshot.waitingLimit) = (20, 72)
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        (snapshot.waitingFrames, snapshot.droppedFrames) = (72, 3)
        let first = watch.evaluate(snapshot).warnings
        #expect(first.count == 2)
        #expect(first.first == "The encoder is falling behind: 72 of 72 buffered frames are waiting for it.")
        snapshot.waitingFrames = 30
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        snapshot.waitingFrames = 1
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        snapshot.waitingFrames = 40
        snapshot.pressure.cores = (2, 0.6)
        #expect(
            watch.evaluate(snapshot).warnings == [
                "The encoder is falling behind: 40 of 72 buffered frames are waiting for it; other programs are using 1.4 of 2 cores."
            ])
    }

    @Test func `what failed in writing comes before everything else`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.writingFailure = "the disk is full"
        snapshot.camera?.state = .lost("unplugged")
        #expect(watch.evaluate(snapshot).end == .writingFailed("the disk is full"))
    }

    @Test func `each of several cameras that is lost is told once and listed, unless all are`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.composed = [.init(name: "Slides"), .init(name: "Face", state: .lost("unplugged"))]
        #expect(
            watch.evaluate(snapshot).warnings == [
                "Face is lost (unplugged); the recording continues with the other cameras."
            ])
        snapshot.composed[0].state = .lost("asleep")
        let (_, warnings, end, _) = watch.evaluate(snapshot)
        #expect(warnings == ["Slides is lost (asleep); the recording continues with the other cameras."] && end == nil)
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        #expect(watch.devices.losses.map(\.name) == ["Face", "Slides"])
        snapshot.composed[1].state = .running
        snapshot.encoded = 9 * .second
        #expect(watch.evaluate(snapshot).warnings == ["Face is back and is being recorded again."])
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        #expect(watch.devices.losses.map(\.end) == [9 * .second, nil])
        snapshot.composed[1].state = .lost("unplugged")
        #expect(watch.evaluate(snapshot).warnings.count == 1 && watch.devices.losses.count == 3)
        snapshot.camera?.state = .lost("asleep")
        #expect(watch.evaluate(snapshot).end == .deviceLost("Camera", "asleep"))
    }

    @Test func `a camera that may come back is waited for, as long as there is audio`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        let first = watch.evaluate(snapshot)
        #expect(first.end == nil)
        #expect(
            first.warnings == ["Camera is lost (unplugged); the recording continues without frames until it is back."])
        (snapshot.time, snapshot.encoded) = (3600 * .second, 3600 * .second)
        let later = watch.evaluate(snapshot)
        #expect(later.end == nil && later.warnings.isEmpty)
        snapshot.camera?.state = .running
        #expect(watch.evaluate(snapshot).warnings == ["Camera is back and is being recorded again."])
        #expect(
            watch.devices.losses.map(\.time) == [2 * .second] && watch.devices.losses.map(\.end) == [3600 * .second])
    }

    @Test func `where nothing else is recorded it is waited for ten seconds`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        snapshot.microphones = []
        let first = watch.evaluate(snapshot)
        #expect(
            first.warnings == [
                "Camera is lost (unplugged); nothing else is being recorded, so the recording ends if it is not back in 10 seconds."
            ])
        snapshot.time = 9 * .second
        #expect(first.end == nil && watch.evaluate(snapshot).end == nil)
        snapshot.time = 10 * .second
        #expect(watch.evaluate(snapshot).end == .deviceLost("Camera", "unplugged"))
    }

    @Test func `a stream that is copied, and a take that is to end, do not go on without a camera`() {
        var snapshot = fine
        snapshot.camera = .init(name: "Camera", state: .lost("unplugged"), returns: true)
        snapshot.isEncoded = false
        var watch = RecordingMonitor(limits: RecordingLimits())
        #expect(watch.evaluate(snapshot).end == .deviceLost("Camera", "unplugged"))
        snapshot.isEncoded = true
        var strict = RecordingMonitor(limits: RecordingLimits(endsOnDeviceLoss: true))
        #expect(strict.evaluate(snapshot).end == .deviceLost("Camera", "unplugged"))
        // The same of a microphone, and of one of several cameras.
        snapshot.camera?.state = .running
        snapshot.microphones[0].state = .lost("gone")
        #expect(strict.evaluate(snapshot).end == .deviceLost("Microphone", "gone"))
        snapshot.microphones[0].state = .running
        snapshot.composed = [.init(name: "Slides"), .init(name: "Face", state: .lost("asleep"))]
        #expect(strict.evaluate(snapshot).end == .deviceLost("Face", "asleep"))
    }
}
