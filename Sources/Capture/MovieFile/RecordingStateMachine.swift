import Composition
import MediaTypes

/// The life of a recording: what somebody asks for and what is seen go in, what is to be done comes out.
///
///     standby -> recording      somebody asked for it
///     recording -> ending       somebody, a limit or a fault ended it; tracks get a second for what lies before the end
///               -> finishing    the encoders hand out what they hold, and the file is completed
///
/// Pure: times are running times of the session, and come with what is handed in. Where the recording pauses is the
/// ``RecordingTimeline``'s business, what is seen of it the ``RecordingMonitor``'s.
struct RecordingStateMachine: Sendable {
    enum Phase: Sendable, Equatable {
        case standby, recording
        case ending(RecordingEndReason, deadline: MediaTime)
        case finishing
    }

    enum Input: Sendable {
        case start
        /// The file is there, or could not be begun.
        case started, startFailed
        case pause, resume, split
        /// Another place for the frames of several cameras, and how long the change takes.
        case layout(LayoutChange, over: MediaTime)
        /// The title; `nil` for "Chapter 1" and so on.
        case mark(String?)
        case end(RecordingEndReason)
        /// Every track has reached the end.
        case tracksComplete
        /// What is seen of the recording, twice a second and where a device tells of a fault.
        case look(RecordingMonitor.Sight)
    }

    enum Action: Sendable, Equatable {
        case begin(at: MediaTime)
        case pause(at: MediaTime), resume(at: MediaTime)
        case mark(String?, at: MediaTime)
        /// Goes over to the next file, at a time in the movie.
        case split(at: MediaTime)
        case layout(LayoutChange, over: MediaTime)
        /// Lets an encoder, by its number, work so many steps faster than it began: 0 is the movie's, the others are the cameras' own.
        case changeSpeed(encoder: Int, step: Int)
        /// Lets the encoders have no more than that of the frames from now on.
        case decimate(FrameDecimation)
        case warn(String)
        /// Says that another camera delivers the frames.
        case tellSwitch(String)
        /// Ends all tracks at a running time, and looks again at once and when the time is up.
        case end(at: MediaTime)
        /// What has not come will not come any more.
        case endVideo(isLost: Bool), endAudio
        /// Lets one camera's own movie end as it is.
        case endCamera(Int)
        /// Completes the file. The last action that there is.
        case finish(RecordingEndReason)
    }

    private(set) var phase: Phase
    private var monitor: RecordingMonitor
    private var schedule: PartSchedule
    private var relief = EncodersRelief()
    private var partBegin = MediaTime.zero
    /// Whether its start was waited for and has been asked for.
    private(set) var hasWaited = false
    /// Whether its file is being opened: what was recorded meanwhile waits, and would be lost if it ended without it.
    private var isOpening = false
    private var areTracksComplete = false
    private var isVideoOver = false
    private var isAudioOver = false

    /// How long tracks get to deliver what lies before the end: two frames of a slow camera, or a sound server's buffer.
    static let grace = MediaTime.second
    /// How long an end waits after that for the file to be opened.
    static let patience = 30 * MediaTime.second

    init(limits: RecordingLimits, isStandby: Bool = false) {
        phase = isStandby ? .standby : .recording
        (monitor, schedule) = (RecordingMonitor(limits: limits), PartSchedule(limits))
    }

    /// Devices that were lost while the recording went on.
    var losses: [DeviceLoss] { monitor.losses }

    /// - Parameter now: when it was asked for or seen.
    mutating func handle(_ input: Input, at now: MediaTime) -> [Action] {
        switch phase {
        case .standby: wait(input, now)
        case .recording: record(input, now)
        case .ending(let reason, let deadline): end(input, reason, deadline, now)
        case .finishing: []
        }
    }

    private mutating func wait(_ input: Input, _ now: MediaTime) -> [Action] {
        switch input {
        case .start:
            (phase, hasWaited, isOpening) = (.recording, true, true)
            monitor.begin()
            return [.begin(at: now)]
        case .started, .startFailed, .pause, .resume, .mark, .split: return []
        case .layout, .end, .tracksComplete: return record(input, now)
        case .look(var sight):
            // Nothing is written yet that could fill the disk.
            sight.freeBytes = nil
            return record(.look(sight), now)
        }
    }

    private mutating func record(_ input: Input, _ now: MediaTime) -> [Action] {
        switch input {
        case .start: return []
        case .started:
            isOpening = false
            return []
        case .startFailed:
            if hasWaited { (phase, hasWaited, isOpening) = (.standby, false, false) }
            return []
        case .pause: return [.pause(at: now)]
        case .resume: return [.resume(at: now)]
        case .mark(let title): return [.mark(title, at: now)]
        case .split: return [.split(at: .zero)]
        case .layout(let change, let duration): return [.layout(change, over: duration)]
        case .end(let reason): return begin(ending: reason, now)
        // Nobody asked for an end that all tracks have reached by themselves.
        case .tracksComplete:
            return begin(ending: .maximumDurationReached, now)
                + end(.tracksComplete, .maximumDurationReached, now + Self.grace, now)
        case .look(let sight):
            if sight.partBegin != partBegin {
                partBegin = sight.partBegin
                schedule.began(at: partBegin)
            }
            let (switched, warnings, reason, hanging) = monitor.look(at: sight)
            var actions =
                switched.map { Action.tellSwitch($0) } + warnings.map { .warn($0) } + hanging.map { .endCamera($0) }
            if let reason { return actions + begin(ending: reason, now) }
            if sight.isEncoded {
                let change = relief.look(at: monitor.encoders(sight), time: now)
                actions += change.steps.map { .changeSpeed(encoder: $0.encoder, step: $0.step) }
                if let words = change.words { actions += [.decimate(relief.decimation), .warn(words)] }
            }
            if let time = schedule.due(movie: sight.duration, part: (partBegin, sight.partBytes)) {
                actions.append(.split(at: time))
            }
            return actions
        }
    }

    private mutating func begin(ending reason: RecordingEndReason, _ now: MediaTime) -> [Action] {
        phase = .ending(reason, deadline: now + Self.grace)
        return [.end(at: now)]
    }

    private mutating func end(
        _ input: Input, _ reason: RecordingEndReason, _ deadline: MediaTime, _ now: MediaTime
    ) -> [Action] {
        let isLate = now >= deadline
        switch input {
        case .start, .pause, .resume, .mark, .split, .layout, .end: return []
        case .started, .startFailed:
            isOpening = false
            return areTracksComplete || isLate ? finish(reason) : []
        case .tracksComplete:
            areTracksComplete = true
            return isOpening ? [] : finish(reason)
        case .look(let sight):
            var actions: [Action] = []
            let isAudioGone = sight.microphone?.state.isOver == true
            // What was being looked at when the end came is told before it, not after; so is what the last samples were waited
            // for in vain, as their device ended just before.
            if isAudioGone || isLate { actions = monitor.look(at: sight).warnings.map { .warn($0) } }
            // A lost device delivers nothing more that would be worth waiting for.
            if sight.camera?.state.isOver == true { actions += endVideo(isLost: true) }
            if isAudioGone { actions += endAudio() }
            if case .writingFailed = reason { return actions + finish(reason) }
            let isTimeUp = now >= (isOpening ? deadline + Self.patience : deadline)
            return isTimeUp ? actions + finish(reason) : actions
        }
    }

    private mutating func endVideo(isLost: Bool) -> [Action] {
        defer { isVideoOver = true }
        return isVideoOver ? [] : [.endVideo(isLost: isLost)]
    }

    private mutating func endAudio() -> [Action] {
        defer { isAudioOver = true }
        return isAudioOver ? [] : [.endAudio]
    }

    private mutating func finish(_ reason: RecordingEndReason) -> [Action] {
        phase = .finishing
        return endVideo(isLost: false) + endAudio() + [.finish(reason)]
    }
}
