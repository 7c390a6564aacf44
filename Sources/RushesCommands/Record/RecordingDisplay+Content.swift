import Capture
import Foundation
import LiveActivity
import Rushes
import Threads

/// What an activity says of a recording.
extension RecordingDisplay {
    var phase: ContentState.Phase {
        if isFinishing { return .finishing }
        if isWaiting { return .waiting }
        return isPaused ? .paused : last.interruption != nil ? .interrupted : .running
    }

    /// Out of date after five seconds: the take tells its progress at least once a second.
    func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5))
    }

    func state(_ phase: ContentState.Phase, _ progress: RecordingProgress) -> ContentState {
        var state = ContentState(phase: phase, elapsed: (ContinuousClock.now - begin).seconds)
        // With what lies before a start that was waited for.
        let limit = progress.wholeDuration?.seconds ?? request.limits.maxRecordedDuration.map { $0 / .seconds(1) }
        state.fraction = limit.map { min(0.999, progress.duration.seconds / $0) }
        state.remaining = limit.map { max(0, $0 - progress.duration.seconds) }
        state.mediaTime = progress.duration.seconds
        state.mediaDuration = limit
        state.framesWritten = progress.frames
        state.framesPerSecond = phase == .running && request.camera != nil ? framesPerSecond : nil
        state.thumbnail = thumbnail.path?.wireText
        state.framesDropped = progress.droppedFrames
        state.bytesWritten = progress.bytes
        // Where no audio has come since the last time, the meter stays rather than blinks.
        level = meters.take(progress.levels) ?? level
        state.audioLevel = level
        if !phase.isFinal { state.microphones = meters.microphones(microphoneNames, isMuted: isMuted) }
        let microphones = request.microphones.indices
        if !microphones.isEmpty, !phase.isFinal, microphones.allSatisfy({ isMuted($0) }) { state.muted = true }
        state.spaceFor = progress.remainingTime.map { $0 / .seconds(1) }
        state.message = notice.words ?? silence.message
        state.output = output
        return state
    }

    func state(_ result: RecordingResult) -> ContentState {
        let isUnstarted = !result.hasBegun && result.reason.isIntended
        var state = state(
            result.isPlayable ? .finished : isUnstarted ? .cancelled : .failed, result.progress)
        state.fraction = result.isPlayable ? 1 : state.fraction
        state.remaining = nil
        state.fileIsGood = result.isPlayable
        state.reason = result.reason.words
        state.message = result.problem ?? result.losses.first?.sentence
        state.output = result.path?.absolute.wireText
        return state
    }
}
