import MediaTypes
import MovieFiles
import Testing

@testable import Capture

/// Encoders and disks that are too slow, and limits.
extension RecordingMonitorTests {
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
            #expect(seen.warnings.count == (time == 3600 ? 1 : 0) && seen.end == nil, "\(seen)")
            #expect(seen.warnings.allSatisfy { $0.hasPrefix("The recorder itself stood still") }, "\(seen)")
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
        #expect(watch.evaluate(snapshot).warnings == ["The encoder has caught up."])
        #expect(watch.evaluate(snapshot).warnings.isEmpty)
        snapshot.waitingFrames = 40
        snapshot.pressure.cores = (2, 0.6)
        #expect(
            watch.evaluate(snapshot).warnings == [
                "The encoder is falling behind: 40 of 72 buffered frames are waiting for it; other programs are using 1.4 of 2 cores."
            ])
    }

    @Test func `that an encoder has caught up is told once: not where its speed or the frames tell it`() {
        for (step, isDecimated) in [(1, false), (0, true)] {
            var watch = RecordingMonitor(limits: RecordingLimits())
            var snapshot = fine
            (snapshot.waitingFrames, snapshot.waitingLimit) = (40, 72)
            #expect(watch.evaluate(snapshot).warnings.count == 1)
            (snapshot.waitingFrames, snapshot.encoder.step) = (1, step)
            #expect(watch.evaluate(snapshot, isDecimated: isDecimated).warnings.isEmpty)
            snapshot.waitingFrames = 40
            #expect(watch.evaluate(snapshot).warnings.count == 1)
        }
    }

    @Test func `what failed in writing comes before everything else`() {
        var watch = RecordingMonitor(limits: RecordingLimits())
        var snapshot = fine
        snapshot.writingFailure = "the disk is full"
        snapshot.camera?.state = .lost("unplugged")
        #expect(watch.evaluate(snapshot).end == .writingFailed("the disk is full"))
    }
}
