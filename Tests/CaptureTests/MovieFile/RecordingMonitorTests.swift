import MediaTypes
import MovieFiles
import Testing

@testable import Capture

/// Devices that are lost and come back; encoders, disks and limits stand beside, in an extension.
@Suite struct RecordingMonitorTests {
    let fine = RecordingMonitor.Snapshot(
        bytes: 1_000_000, freeBytes: 10_000_000_000, duration: 2 * .second, encoded: 2 * .second,
        camera: .init(name: "Camera"),
        microphones: [.init(name: "Microphone")])

    @Test func `while all is well nothing is said`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        let (_, warnings, end, _) = watch.evaluate(fine)
        #expect(warnings.isEmpty)
        #expect(end == nil)
    }

    @Test func `frames that came too late to be shown are told once, by the camera's name`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.composed = [.init(name: "Slides", lateFrames: 3), .init(name: "Face")]
        let words =
            "Frames from Slides came too late: another camera's were shown in their place; they count as dropped."
        #expect(watch.evaluate(snapshot).warnings == [words])
        snapshot.composed[0].lateFrames = 9
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
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

    @Test func `a recorder that stood still says so, and blames no camera for what did not come meanwhile`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        func look(at time: MediaTime, lost: Int) -> [String] {
            (snapshot.time, snapshot.lostFrames) = (time, lost)
            return watch.evaluate(snapshot).warnings
        }
        #expect(look(at: .second, lost: 0).isEmpty)
        // A machine that is busy.
        #expect(look(at: 2500 * .millisecond, lost: 0).isEmpty)
        #expect(
            look(at: 12_500 * .millisecond, lost: 0) == [
                "The recorder itself stood still for 10 s, as Ctrl-Z makes it: what cameras and microphones "
                    + "delivered meanwhile may be missing."
            ])
        #expect(look(at: 13 * .second, lost: 240).isEmpty)
        for half in 27...40 { #expect(look(at: half * 500 * .millisecond, lost: 240).isEmpty) }
        let words = look(at: 20_500 * .millisecond, lost: 241)
        #expect(words.count == 1 && words[0].hasPrefix("Frames from the camera are missing"))
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
        for second in 1...3600 {
            (snapshot.time, snapshot.encoded) = (second * .second, max(2, second) * .second)
            let later = watch.evaluate(snapshot)
            #expect(later.end == nil && later.warnings.isEmpty)
        }
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
