package import Imaging
package import MediaTypes
import Threads

/// What a recording may begin by itself for.
package enum RecordingTrigger: Sendable, Equatable {
    /// Something moves before the main camera, or in a part of what it sees; from 0 to 1 how small and faint it may be.
    case motion(sensitivity: Double, area: FrameArea)
    /// The loudest of the microphones is as loud as this, root mean square over a tenth of a second in decibels of full scale.
    case sound(decibels: Double)
}

extension CaptureSession {
    /// Tells, a few times a second and on threads that wait for nothing, whether there is anything of what is looked for, until the
    /// reader ends.
    package func activity(of triggers: [RecordingTrigger]) -> AsyncStream<(isActive: Bool, time: MediaTime)> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: (isActive: Bool, time: MediaTime).self, bufferingPolicy: .bufferingNewest(16))
        var ends: [@Sendable () -> Void] = []
        for trigger in triggers {
            switch trigger {
            case .motion(let sensitivity, let area):
                let watch = Locked((detector: MotionDetector(sensitivity: sensitivity), last: MediaTime?.none))
                let keys = frames.listen { frame in
                    let seen = watch.withLock { watch -> Bool? in
                        let time = frame.frame.time
                        if let last = watch.last, time >= last, time - last < RecordingTrigger.interval { return nil }
                        watch.last = time
                        guard let grid = LumaGrid(frame.frame.buffer, frame.frame.caps, area: area) else { return nil }
                        return watch.detector.see(grid)
                    }
                    if let seen { continuation.yield((seen, frame.frame.time)) }
                }
                ends.append { [frames] in frames.unlisten(keys) }
            case .sound(let decibels):
                let detector = Locked(SoundDetector(decibels: decibels))
                let key = audio.listenToAll { microphone, chunk in
                    if let found = detector.withLock({ $0.add(chunk, of: microphone) }) { continuation.yield(found) }
                }
                ends.append { [audio] in audio.unlisten(key) }
            }
        }
        continuation.onTermination = { [ends] _ in for end in ends { end() } }
        return stream
    }
}

extension RecordingTrigger {
    /// From one look at a frame to the next.
    fileprivate static let interval = 180 * MediaTime.millisecond
}

extension Recording {
    /// Lets a recording that waits begin with the first of what is looked for, and end so long after the last; returns when it has been
    /// told to end, or the session is closed.
    ///
    /// - Parameters:
    ///   - preceding: the recording that it follows: nothing lies between the two.
    ///   - isReady: whether it may begin; what is seen before is another recording's.
    ///   - onStop: called before the end is asked for; what it makes ready loses nothing of what comes then.
    package func follow(
        _ triggers: [RecordingTrigger], of session: CaptureSession, postRoll: Duration, after preceding: Recording?,
        isReady: () -> Bool, onStop: () async -> Void
    ) async {
        var schedule = TriggerSchedule(postRoll: MediaTime(postRoll))
        for await seen in await session.activity(of: triggers) where isReady() {
            switch schedule.evaluate(seen.isActive, at: seen.time, hasBegun: supervisor.hasBeenStarted) {
            case .start: start(after: preceding?.end)
            case .stop:
                await onStop()
                await stop()
                return
            case nil: break
            }
        }
    }
}
