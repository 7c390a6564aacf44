import Capture
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
    /// What is answered: what came of it.
    typealias Answers = [ActivityControl: @Sendable (String?) async throws -> String]
    private let answers: Answers
    /// Whether silence is recorded of a microphone, by its number.
    private let isMuted: (Int) -> Bool
    /// Of each microphone in the sound settings, when the recording began.
    private let volumes: [MicrophoneVolume?]
    private let microphoneNames: [String]
    private var activity: Activity?
    private var shown: [Task<Void, Never>] = []
    private let thumbnail: RecordingThumbnail
    private var meters = ChannelMeters()
    private var level: [Double]?
    private var frameRate = RecentFrameRate()
    private var framesPerSecond: Double?
    private var silence: [SilenceWatch]
    /// Seconds of audio that were measured, also before a start that is waited for: the movie's time begins with what lies before that.
    private var measured = 0.0
    private var lastMeasured: ContinuousClock.Instant?
    /// What stays true of each microphone until it is taken back.
    private var standing: [String?]
    /// What was said last, for those who look from elsewhere.
    private let notice: RecordingNotice
    private var last = RecordingProgress()
    private var isPaused = false
    /// Whether a start is waited for.
    private var isWaiting: Bool
    /// Where the movie will be, for other processes.
    private var output: String

    /// - Parameters:
    ///   - answers: what sets something, and says what came of it.
    ///   - control: does what somebody who watches the activity asks for: a stop, a mark with its name.
    init(
        _ request: RecordingRequest, output: OutputOptions, lastWords: LastWords, thumbnail: RecordingThumbnail,
        notice: RecordingNotice, volumes: [MicrophoneVolume?], answers: Answers,
        isMuted: @escaping (Int) -> Bool,
        control: @escaping @Sendable (ActivityControl, String?) async -> Void
    ) {
        self.request = request
        isWaiting = request.preRoll != nil
        (self.lastWords, self.thumbnail, self.notice) = (lastWords, thumbnail, notice)
        self.output = request.destination.path.absolute.wireText
        (self.control, self.answers, self.volumes) = (control, answers, volumes)
        self.isMuted = isMuted
        microphoneNames = AudioSourcePlan.distinctNames(of: request.microphones)
        silence = request.microphones.map { _ in SilenceWatch() }
        standing = request.microphones.map { _ in nil }
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
        case .standby(let start):
            var state = state(.waiting, RecordingProgress())
            state.message = start.summary
            self.start(state)
            let words = StartWords(
                waitingFor: "\(start.path)", sources: sources, encoding: start.summary,
                preRoll: request.preRoll.map { $0 / .seconds(1) } ?? 0, id: activity?.id, hasKeys: hasKeys,
                trigger: request.triggers.words)
            for line in words.lines { StandardStreams.printNote(line) }
        case .started(let start):
            isWaiting = false
            let words = StartWords(
                path: "\(start.path)", sources: sources, encoding: start.summary, cameras: request.cameras.count,
                microphones: request.microphones.count,
                hasLimit: request.limits.maxRecordedDuration != nil, hasKeys: hasKeys,
                deletesFiles: request.limits.maxKeptFileSize != nil)
            for line in words.lines { StandardStreams.printNote(line) }
            var state = state(.running, RecordingProgress())
            state.message = start.summary
            if let activity {
                accept(on: activity)
                activity.update(content(state))
            } else {
                self.start(state)
            }
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
            tellElsewhere(Sentence(words).text)
        case .switchedCamera(let camera):
            let words = "The recording continues with \(camera)."
            StandardStreams.printNote(words)
            tellElsewhere(words)
        case .finishedPart(let part):
            output = part.next?.absolute.wireText ?? output
            StandardStreams.printNote(part.words)
            tellElsewhere(part.words)
        case .pinned(let path):
            let words = "\(Sentence.printable(path.lastComponent?.string ?? path.string)) is kept."
            StandardStreams.printNote(words)
            tellElsewhere(words)
        case .deletedPart(let part): StandardStreams.printNote(part.deletedWords)
        case .saved(let part):
            StandardStreams.printNote(part.savedWords)
            tellElsewhere(part.savedWords)
        case .moved(let path):
            output = path.wireText
            StandardStreams.printNote(
                "rushes: The movie's file is now \(Sentence.printable(path.wireText)); the recording continues.")
        case .marked(let chapter):
            let container = try? request.destination.container()
            let lost = container.flatMap { $0.keepsMarks ? nil : "; \($0.displayName) does not keep it" } ?? ""
            StandardStreams.printNote("Marked \(Words.clock(chapter.start.seconds)): \(chapter.title)\(lost)")
        case .finished(let result):
            // A take that ended before it began still gets its start: every end has one.
            if activity == nil { start(state(.waiting, RecordingProgress())) }
            isWaiting = false
            activity?.end(ActivityContent(state: state(result), staleDate: nil))
            lastWords.end()
            // What is shown is shown to its end before the last word is said.
            await shown.areShown(within: request.triggers.isEmpty ? 10 : 1)
            for line in result.words(hasVideo: request.camera != nil) { StandardStreams.printNote(line) }
        }
    }

    private func show(_ progress: RecordingProgress, isPaused: Bool) {
        (last, self.isPaused) = (progress, isPaused)
        if !isPaused {
            framesPerSecond = frameRate.take(progress.frames, at: progress.duration.seconds)
            thumbnail.refresh()
            listen(progress)
        }
        activity?.update(content(state(phase, progress)))
    }

    /// For programs, and whoever watches from elsewhere.
    private func tellElsewhere(_ words: String) {
        notice.tell(words)
        activity?.update(content(state(phase, last)))
    }

    /// Says once that nothing is heard, and takes it back.
    private func listen(_ progress: RecordingProgress) {
        let now = ContinuousClock.now
        // In a pause nobody listens.
        measured += lastMeasured.map { min(1, ($0.duration(to: now)) / .seconds(1)) } ?? 0
        lastMeasured = now
        for (index, microphone) in request.microphones.enumerated() where !isMuted(index) {
            let level = progress.levels.indices.contains(index) ? progress.levels[index]?.average : nil
            switch silence[index].take(level, at: measured) {
            case .silent(let seconds):
                let words =
                    "\(microphone.name) has been silent for \(seconds) seconds; check that it is plugged in, turned up and not muted."
                standing[index] = words
                StandardStreams.printNote("rushes: \(words)")
            case .returned:
                standing[index] = nil
                StandardStreams.printNote("\(microphone.name) is no longer silent.")
            case nil: break
            }
        }
    }

    private var phase: ContentState.Phase {
        if isWaiting { return .waiting }
        return isPaused ? .paused : last.interruption != nil ? .interrupted : .running
    }

    private var sources: [String] {
        request.cameras.map(\.summary)
            + request.microphones.enumerated().map { index, microphone in
                let volume = volumes.indices.contains(index) ? volumes[index] : nil
                return microphone.words(volume: volume)
            }
    }

    private func start(_ state: ContentState) {
        guard
            let activity = try? Activity.request(
                kind: .recording, attributes: request.attributes(output: output).fitted, content: content(state))
        else { return }
        accept(on: activity)
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        shown = (reporters + [desktop]).map { $0.follow(activity.events) }
        self.activity = activity
        lastWords.attach(activity)
    }

    /// What may be asked of it now.
    private func accept(on activity: Activity) {
        for (control, answer) in answers { activity.answer(control, answer) }
        activity.accept(request.controls(isWaiting: isWaiting)) { [control] wish, text in
            Task { await control(wish, text) }
        }
    }

    /// Out of date after five seconds: the take tells its progress at least once a second.
    private func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5))
    }

    private func state(_ phase: ContentState.Phase, _ progress: RecordingProgress) -> ContentState {
        var state = ContentState(phase: phase, elapsed: Date().timeIntervalSince(begin))
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
        state.message = notice.words ?? standing.compactMap(\.self).first
        state.output = output
        return state
    }

    private func state(_ result: RecordingResult) -> ContentState {
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
