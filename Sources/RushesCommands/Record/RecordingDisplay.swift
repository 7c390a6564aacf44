import DesktopActivity
import Foundation
import LiveActivity
import MediaTypes
import Rushes
import SystemPackage

/// Makes a take an activity, and shows it as asked: a bar, lines, or JSON.
final class RecordingDisplay {
    private let begin = Date()
    private let request: RecordingRequest
    private let reporters: [ActivityReporter]
    private let lastWords: LastWords
    private let control: @Sendable (ActivityControl, String?) async -> Void
    private var activity: Activity?
    private var shown: [Task<Void, Never>] = []
    private var level: [Double]?
    private var last = RecordingProgress()
    private var isPaused = false
    /// Where the movie will be, for other processes.
    private var output: String

    /// - Parameter control: does what somebody who watches the activity asks for: a stop, a mark with its name.
    init(
        _ request: RecordingRequest, output: OutputOptions, lastWords: LastWords,
        control: @escaping @Sendable (ActivityControl, String?) async -> Void
    ) {
        self.request = request
        self.lastWords = lastWords
        self.output = request.destination.path.absolute.wireText
        self.control = control
        let progress = ActivityReporter.progress(output.progress)
        // What a person reads in a sentence of its own is not said in the line as well.
        let brief = ActivityReporter { progress.show($0.withoutMessage) }
        // Each reporter has a thread that every event wakes: none for nothing.
        reporters = [output.json ? StandardStreams.events : nil, output.progress == .none ? nil : brief, .service()]
            .compactMap(\.self)
    }

    /// - Parameter hasKeys: whether keys of the terminal are taken.
    func show(_ event: RecordingEvent, hasKeys: Bool = false) async {
        switch event {
        case .started(let start):
            let until = request.limits.maxRecordedDuration == nil ? " until Ctrl-C" : ""
            let pause =
                !hasKeys
                ? ""
                : request.cameras.count > 1
                    ? " (space pauses, m marks, s swaps, 1 to 9 are layouts, 0 goes back from one camera to all, q stops)"
                    : " (space pauses, m marks, n is the next file, q stops)"
            StandardStreams.printNote("Recording \(start.path)\(until)\(pause): \(sources); \(start.summary).")
            var state = state(.running, RecordingProgress())
            state.message = start.summary
            self.start(state)
        case .progress(let progress): show(progress, isPaused: isPaused)
        case .paused(let progress):
            show(progress, isPaused: true)
            StandardStreams.printNote("Paused at \(Words.clock(progress.duration.seconds)).")
        case .resumed(let progress):
            show(progress, isPaused: false)
            StandardStreams.printNote("Recording again.")
        case .finishing(let progress): activity?.update(content(state(.finishing, progress)))
        case .warning(let words):
            StandardStreams.printNote("rushes: \(Sentence(words).text)")
            // For programs, and whoever watches from elsewhere.
            var state = state(isPaused ? .paused : .running, last)
            state.message = Sentence(words).text
            activity?.update(content(state))
        case .finishedPart(let part):
            output = part.next?.absolute.wireText ?? output
            StandardStreams.printNote(part.words)
            var state = state(isPaused ? .paused : .running, last)
            state.message = part.words
            activity?.update(content(state))
        case .moved(let path):
            output = path.wireText
            StandardStreams.printNote(
                "rushes: The movie's file is \(Sentence.printable(path.wireText)) now; the take goes on.")
        case .marked(let chapter):
            StandardStreams.printNote("Marked \(Words.clock(chapter.start.seconds)): \(chapter.title)")
        case .finished(let result):
            // A take that ended before it began still gets its start: every end has one.
            if activity == nil { start(state(.waiting, RecordingProgress())) }
            activity?.end(ActivityContent(state: state(result), staleDate: nil))
            lastWords.end(with: result)
            // What is shown is shown to its end before the last word is said.
            await shown.areShown()
            for line in result.words(hasVideo: request.camera != nil) { StandardStreams.printNote(line) }
        }
    }

    private func show(_ progress: RecordingProgress, isPaused: Bool) {
        (last, self.isPaused) = (progress, isPaused)
        activity?.update(content(state(isPaused ? .paused : .running, progress)))
    }

    private var sources: String {
        (request.cameras.map(\.summary) + [request.microphone?.summary].compactMap(\.self)).joined(separator: "; ")
    }

    private func start(_ state: ContentState) {
        guard
            let activity = try? Activity.request(
                kind: .recording, attributes: attributes.fitted, content: content(state))
        else { return }
        let isMovieFile = (try? request.destination.container().isMovieFile) == true
        var controls: Set<ActivityControl> = [.stop, .pause, .resume, .split]
        if isMovieFile { controls.insert(.mark) }
        if request.eachCamera != nil { controls.remove(.split) }
        if request.cameras.count > 1 { controls.formUnion([.layout, .swap, .show]) }
        activity.accept(controls) {
            [control] wish, text in
            Task { await control(wish, text) }
        }
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        shown = (reporters + [desktop]).map { $0.follow(activity.events) }
        self.activity = activity
        lastWords.attach(activity)
    }

    /// Out of date after five seconds: the take tells its progress at least once a second.
    private func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5))
    }

    private var attributes: ActivityAttributes {
        ActivityAttributes(
            title: request.destination.path.lastComponent.map { "\($0)" } ?? "Recording",
            output: output,
            inputs: request.cameras.map(\.name) + [request.microphone?.name].compactMap(\.self))
    }

    private func state(_ phase: ContentState.Phase, _ progress: RecordingProgress) -> ContentState {
        var state = ContentState(phase: phase, elapsed: Date().timeIntervalSince(begin))
        let limit = request.limits.maxRecordedDuration.map { $0 / .seconds(1) }
        state.fraction = limit.map { min(0.999, progress.duration.seconds / $0) }
        state.remaining = limit.map { max(0, $0 - progress.duration.seconds) }
        state.mediaTime = progress.duration.seconds
        state.mediaDuration = limit
        state.framesWritten = progress.frames
        state.framesDropped = progress.droppedFrames
        state.bytesWritten = progress.bytes
        // Where no audio has come since the last time, the meter stays rather than blinks.
        level = progress.level?.average ?? level
        state.audioLevel = level
        state.spaceFor = progress.spaceFor.map { $0 / .seconds(1) }
        state.output = output
        return state
    }

    private func state(_ result: RecordingResult) -> ContentState {
        var state = state(result.fileIsGood ? .finished : .failed, result.progress)
        state.fraction = result.fileIsGood ? 1 : state.fraction
        state.remaining = nil
        state.fileIsGood = result.fileIsGood
        state.reason = result.reason.words
        state.message = result.problem ?? result.losses.first?.sentence
        state.output = result.path?.absolute.wireText
        return state
    }
}

extension ActivityEvent {
    /// For where the message is said in a sentence of its own.
    var withoutMessage: ActivityEvent {
        var state = contentState
        state.message = nil
        return ActivityEvent(
            sequence: sequence, id: id, event: event, kind: kind, timestamp: timestamp, attributes: attributes,
            contentState: state, staleDate: staleDate, relevanceScore: relevanceScore, dismissalDate: dismissalDate)
    }
}
