import Foundation
import LiveActivity
import Rushes
import SystemPackage

/// Turns what a take reports into activity events, and shows them as asked: a bar, lines, or JSON.
final class TakeDisplay {
    private let id = UUID().uuidString.lowercased()
    private let begin = Date()
    private let request: TakeRequest
    private let json: ActivityReporter?
    private let progress: ActivityReporter
    private let verbose: Bool
    private var sequence = 0
    private var level: [Double]?

    init(_ request: TakeRequest, output: OutputOptions) {
        self.request = request
        json = output.json ? ActivityReporter.json() : nil
        progress = ActivityReporter.progress(output.progress)
        verbose = output.verbose
    }

    func show(_ event: RecordingEvent) {
        switch event {
        case .started(let start):
            let until = request.limits.maxRecordedDuration == nil ? " until Ctrl-C" : ""
            StandardStreams.printNote("Recording \(start.path)\(until): \(sources); \(start.summary).")
            var state = state(.running, RecordingProgress())
            state.message = start.summary
            post(.start, state)
        case .progress(let progress): post(.update, state(.running, progress))
        case .finishing(let progress): post(.update, state(.finishing, progress))
        case .warning(let words):
            StandardStreams.printNote("rushes: \(Sentence(words).text)")
        case .finished(let result):
            post(.end, state(result))
            for line in words(result) { StandardStreams.printNote(line) }
        }
    }

    private var sources: String {
        [request.camera?.summary, request.microphone?.summary].compactMap(\.self).joined(separator: "; ")
    }

    private func post(_ kind: ActivityEvent.Event, _ state: ContentState) {
        // A take that ended before it began still gets its start: every end has one.
        if kind == .end, sequence == 0 { post(.start, self.state(.waiting, RecordingProgress())) }
        sequence += 1
        json?.show(event(kind, state))
        // What a person has just read in a sentence is not said again.
        var brief = state
        if kind == .start { brief.message = nil }
        progress.show(event(kind, brief))
    }

    private func event(_ kind: ActivityEvent.Event, _ state: ContentState) -> ActivityEvent {
        ActivityEvent(
            sequence: sequence, id: id, event: kind, kind: .recording, timestamp: Date(),
            attributes: kind == .start ? attributes : nil, contentState: state,
            staleDate: kind == .end ? nil : Date().addingTimeInterval(5))
    }

    private var attributes: ActivityAttributes {
        ActivityAttributes(
            title: request.destination.path.lastComponent.map { "\($0)" } ?? "Recording",
            output: request.destination.path.wireText,
            inputs: [request.camera?.name, request.microphone?.name].compactMap(\.self))
    }

    private func state(_ phase: ContentState.Phase, _ progress: RecordingProgress) -> ContentState {
        var state = ContentState(phase: phase, elapsed: Date().timeIntervalSince(begin))
        let limit = request.limits.maxRecordedDuration
        state.fraction = limit.map { min(0.999, progress.duration / $0) }
        state.remaining = limit.map { max(0, $0 - progress.duration) }
        state.mediaTime = progress.duration
        state.mediaDuration = limit
        state.framesWritten = progress.frames
        state.framesDropped = progress.droppedFrames
        state.bytesWritten = progress.bytes
        // Where no sound has come since the last time, the meter stays rather than blinks.
        level = progress.level?.average ?? level
        state.audioLevel = level
        state.spaceFor = progress.spaceFor
        state.output = request.destination.path.wireText
        return state
    }

    private func state(_ result: RecordingResult) -> ContentState {
        var state = state(result.fileIsGood ? .finished : .failed, result.progress)
        state.fraction = result.fileIsGood ? 1 : state.fraction
        state.remaining = nil
        state.fileIsGood = result.fileIsGood
        state.reason = result.reason.words
        state.message = result.problem
        state.output = result.path?.wireText
        return state
    }

    private func words(_ result: RecordingResult) -> [String] {
        guard let path = result.path else {
            return ["rushes: \(Sentence(result.problem ?? "Nothing was recorded, so there is no file.").text)"]
        }
        let progress = result.progress
        var parts = [Words.clock(progress.duration), Words.size(progress.bytes)]
        if request.camera != nil { parts.insert("\(progress.frames) frames", at: 1) }
        if progress.droppedFrames > 0 { parts.append("\(progress.droppedFrames) frames dropped") }
        let end = result.reason.words
        // What a disk or a device said may be a sentence already.
        let line = "\(path): \(parts.joined(separator: ", ")); \(end)\(Sentence.isClosed(end) ? "" : ".")"
        guard let problem = result.problem else { return [line] }
        if result.fileIsGood {
            // Why writing failed is in the line already.
            if case .writingFailed = result.reason { return [line] }
            return [line, "rushes: \(Sentence(problem).text)"]
        }
        return [
            line, "rushes: The index could not be written (\(problem)); what is there plays, and can be recovered.",
        ]
    }
}

extension RecordingEndReason {
    /// For people, and the event's reason.
    var words: String {
        switch self {
        case .stopped: "stopped"
        case .maximumDurationReached: "the duration is reached"
        case .maximumSizeReached: "the size is reached"
        case .minimumFreeSpaceReached: "the disk is nearly full"
        case .deviceLost(let name, let said): "\(name) was lost: \(said)"
        case .writingFailed(let said): "writing failed: \(said)"
        }
    }
}
