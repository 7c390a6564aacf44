import Composition
import MediaTypes

/// The states of a recording: requests and observations go in, actions come out.
///
///     standby -> recording      on request
///     recording -> ending       by request, at a limit or after a fault; tracks get a second to deliver what precedes the end
///               -> finishing    the encoders are drained, and the file is completed
///
/// Pure: each input brings its time, a running time of the session. Pauses belong to the ``RecordingTimeline``, observations are judged by
/// the ``RecordingMonitor``.
struct RecordingStateMachine: Sendable {
    enum Phase: Sendable, Equatable {
        case standby, recording
        case ending(RecordingEndReason, deadline: MediaTime)
        case finishing
    }

    enum Input: Sendable {
        case start
        /// The file was opened, or could not be.
        case started, startFailed
        case pause, resume, split
        /// Another layout of several cameras, and how long the change takes.
        case layout(LayoutChange, over: MediaTime)
        /// The title; `nil` for "Chapter 1" and so on.
        case mark(String?)
        case end(RecordingEndReason)
        /// Every track has reached the end.
        case tracksComplete
        /// What the recording looks like, twice a second and when a device reports a fault.
        case evaluate(RecordingMonitor.Snapshot)
    }

    enum Action: Sendable, Equatable {
        case begin(at: MediaTime)
        case pause(at: MediaTime), resume(at: MediaTime)
        case mark(String?, at: MediaTime)
        /// Continues in the next file, from a time in the movie on.
        case split(at: MediaTime)
        case layout(LayoutChange, over: MediaTime)
        /// Makes an encoder that many steps faster than its first speed. Encoder 0 is the movie's; the others are those of the cameras' own
        /// movies.
        case changeSpeed(encoder: Int, step: Int)
        /// Gives the encoders only that share of the frames from now on.
        case decimate(FrameDecimation)
        case warn(String)
        /// Reports that another camera delivers the frames.
        case tellSwitch(String)
        /// Ends all tracks at a running time; the recording is observed again at once, and when the deadline has passed.
        case end(at: MediaTime)
        /// Nothing more will come from the camera, or from any microphone.
        case endVideo(isLost: Bool), endAudio
        /// Nothing more will come from one microphone, by its index, while others deliver.
        case endMicrophone(Int)
        /// Ends one camera's own movie as it is.
        case endCamera(Int)
        /// Completes the file. Always the last action.
        case finish(RecordingEndReason)
    }

    private(set) var phase: Phase
    private var monitor: RecordingMonitor
    private var schedule: PartSchedule
    private var relief = EncodersRelief()
    private var partBegin = MediaTime.zero
    /// Whether it was in standby and has been started.
    private(set) var hasWaited = false
    /// Whether its file is being opened. What is recorded meanwhile is kept in memory, and would be lost if the recording ended without a file.
    private var isOpening = false
    private var areTracksComplete = false
    private var isVideoOver = false
    private var isAudioOver = false
    /// Microphones that have ended while others still deliver.
    private var endedMicrophones: Set<Int> = []

    /// How long tracks may take to deliver what precedes the end: two frames of a slow camera, or a sound server's buffer.
    let grace: MediaTime
    static let grace = MediaTime.second
    /// How much longer an end waits for the file to be opened.
    static let openingTimeout = 30 * MediaTime.second

    /// - Parameter cameras: the identities of the first cameras, so that one that is exchanged before the first observation is reported too.
    init(
        limits: RecordingLimits, cameras: [String?] = [], isStandby: Bool = false, grace: MediaTime = Self.grace
    ) {
        self.grace = grace
        phase = isStandby ? .standby : .recording
        (monitor, schedule) = (RecordingMonitor(limits: limits, cameras: cameras), PartSchedule(limits))
    }

    /// Devices that were lost while the movie was recorded.
    ///
    /// - Parameter begin: where it begins, by the encoders' time.
    func losses(from begin: MediaTime = .zero) -> [DeviceLoss] { monitor.devices.losses(from: begin) }

    /// - Parameter now: when it was requested or observed.
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
        case .evaluate(var snapshot):
            // Nothing is being written yet, so a full disk does not matter.
            snapshot.freeBytes = nil
            return record(.evaluate(snapshot), now)
        }
    }

    /// Whether no device delivers anything, and one is waited for.
    var isNothingLeft: Bool {
        if case .ending = phase { false } else { monitor.devices.idleSince != nil }
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
        // All tracks have reached the end of the timeline, without a request.
        case .tracksComplete:
            return begin(ending: .maximumDurationReached, now)
                + end(.tracksComplete, .maximumDurationReached, now + grace, now)
        case .evaluate(let snapshot):
            if snapshot.partBegin != partBegin {
                partBegin = snapshot.partBegin
                schedule.began(at: partBegin)
            }
            let (switched, warnings, reason, hanging) = monitor.evaluate(
                snapshot, isDecimated: relief.decimation != FrameDecimation())
            var actions =
                switched.map { Action.tellSwitch($0) } + warnings.map { .warn($0) } + hanging.map { .endCamera($0) }
            // What was waited for in vain is not part of the movie.
            if let reason { return actions + begin(ending: reason, now, at: monitor.devices.lastLoss(reason)) }
            if snapshot.isEncoded {
                let change = relief.evaluate(
                    monitor.encoders(snapshot), hasInsets: snapshot.canThinInsets, time: now)
                actions += change.steps.map { .changeSpeed(encoder: $0.encoder, step: $0.step) }
                if let words = change.words { actions += [.decimate(relief.decimation), .warn(words)] }
            }
            let due = schedule.due(
                movie: snapshot.duration, of: snapshot.wholeDuration, part: (partBegin, snapshot.partBytes))
            if let time = due {
                actions.append(.split(at: time))
            }
            return actions
        }
    }

    private mutating func begin(
        ending reason: RecordingEndReason, _ now: MediaTime, at time: MediaTime? = nil
    ) -> [Action] {
        phase = .ending(reason, deadline: now + grace)
        return [.end(at: time ?? now)]
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
        case .evaluate(let snapshot):
            var actions: [Action] = []
            let gone = snapshot.microphones.indices.filter { snapshot.microphones[$0].state.isOver }
            // Pending warnings are delivered before the end. So is the reason why the last samples never came, where their device was lost
            // just before.
            if !gone.isEmpty || isLate { actions = monitor.evaluate(snapshot).warnings.map { .warn($0) } }
            // A lost device is not waited for. If its loss was never reported, the frames missing until the end count as dropped.
            if snapshot.camera?.state.isOver == true {
                actions += endVideo(isLost: isTold(snapshot, reason))
            }
            actions += endMicrophones(gone, of: snapshot.microphones.count)
            if case .writingFailed = reason { return actions + finish(reason) }
            let isTimeUp = now >= (isOpening ? deadline + Self.openingTimeout : deadline)
            return isTimeUp ? actions + finish(reason) : actions
        }
    }

    /// Whether the reason for the camera's missing last frames is reported in some other way than as dropped frames.
    private func isTold(_ snapshot: RecordingMonitor.Snapshot, _ reason: RecordingEndReason) -> Bool {
        if case .deviceLost = reason { return true }
        return snapshot.camera?.state == .ended || monitor.devices.hasToldOfLostCamera
    }

    private mutating func endVideo(isLost: Bool) -> [Action] {
        defer { isVideoOver = true }
        return isVideoOver ? [] : [.endVideo(isLost: isLost)]
    }

    private mutating func endMicrophones(_ gone: [Int], of count: Int) -> [Action] {
        if gone.isEmpty || isAudioOver { return [] }
        if gone.count == count { return endAudio() }
        return gone.filter { endedMicrophones.insert($0).inserted }.map { .endMicrophone($0) }
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
