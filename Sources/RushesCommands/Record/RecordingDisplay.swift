import Capture
import DesktopActivity
import Foundation
import LiveActivity
import MediaTypes
import Rushes
import SystemPackage

/// Makes a take an activity, and shows it as asked: a bar, lines, or JSON.
final class RecordingDisplay {
    /// On a clock that nobody sets.
    let begin = ContinuousClock.now
    let request: RecordingRequest
    private let reporters: [ActivityReporter]
    private let lastWords: LastWords
    private let control: @Sendable (ActivityControl, String?) async -> Void
    /// What is answered: what came of it.
    typealias Answers = [ActivityControl: @Sendable (String?) async throws -> String]
    private let answers: Answers
    /// Whether silence is recorded of a microphone, by its number.
    let isMuted: (Int) -> Bool
    /// Of each microphone in the sound settings, when the recording began.
    private let volumes: [MicrophoneVolume?]
    let microphoneNames: [String]
    private var activity: Activity?
    private var shown: [Task<Void, Never>] = []
    let thumbnail: RecordingThumbnail
    var meters = ChannelMeters()
    var level: [Double]?
    private var frameRate = RecentFrameRate()
    var framesPerSecond: Double?
    var silence: MicrophoneSilence
    /// What was said last, for those who look from elsewhere.
    let notice: RecordingNotice
    var last = RecordingProgress()
    var isPaused = false
    /// Whether a start is waited for.
    var isWaiting: Bool
    /// Whether the file is being completed.
    private(set) var isFinishing = false
    /// Where the movie will be, for other processes.
    var output: String

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
        silence = MicrophoneSilence(of: request.microphones.map(\.name))
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
                preRoll: request.preRoll ?? .zero, id: activity?.id, hasKeys: hasKeys,
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
            StandardStreams.printNote("Paused at \(Words.clock(progress.duration)).")
        case .resumed(let progress):
            show(progress, isPaused: false)
            StandardStreams.printNote("Recording again.")
        case .finishing(let progress):
            (last, isFinishing) = (progress, true)
            activity?.update(content(state(phase, progress)))
        case .warning, .switchedCamera, .finishedPart, .pinned, .deletedPart, .saved, .moved, .marked: tell(event)
        case .finished(let result):
            // A take that ended before it began still gets its start: every end has one.
            if activity == nil { start(state(.waiting, RecordingProgress())) }
            isWaiting = false
            activity?.end(ActivityContent(state: state(result), staleDate: nil))
            lastWords.end()
            // What is shown is shown to its end before the last word is said.
            await shown.areShown(within: .seconds(request.triggers.isEmpty ? 10 : 1))
            for line in result.words(hasVideo: request.camera != nil) { StandardStreams.printNote(line) }
        }
    }

    /// What is said of something that happened on the way.
    private func tell(_ event: RecordingEvent) {
        switch event {
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
            StandardStreams.printNote("Marked \(Words.clock(chapter.start)): \(chapter.title)\(lost)")
        default: break
        }
    }

    private func show(_ progress: RecordingProgress, isPaused: Bool) {
        (last, self.isPaused) = (progress, isPaused)
        if !isPaused {
            framesPerSecond = frameRate.take(progress.frames, at: progress.duration)
            thumbnail.refresh()
            for words in silence.listen(to: progress.levels, at: .now, isMuted: isMuted) {
                StandardStreams.printNote(words)
            }
        }
        activity?.update(content(state(phase, progress)))
    }

    /// For programs, and whoever watches from elsewhere.
    private func tellElsewhere(_ words: String) {
        notice.tell(words)
        activity?.update(content(state(phase, last)))
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
}
