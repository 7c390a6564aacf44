import Capture
import Composition
import DesktopActivity
import FileSystem
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import Rushes
import SystemPackage
import Threads

/// Makes a timelapse from a camera an activity, and shows it as asked: a bar, lines, or JSON.
final class LiveTimelapseDisplay {
    /// On a clock that nobody sets.
    private let begin = ContinuousClock.now
    private let request: LiveTimelapseRequest
    private let recording: TimelapseRecording
    private let reporters: [ActivityReporter]
    private let lastWords: LastWords
    private let snapshot: @Sendable (String?) async throws -> String
    private let control: @Sendable (ActivityControl) async -> Void
    private let thumbnail = ActivityJournal().thumbnailPath()
    private let thumbnails = Locked((isBusy: false, shots: -1, written: false))
    private var activity: Activity?
    private var shown: [Task<Void, Never>] = []
    private var last = TimelapseProgress()
    private var path: String

    /// - Parameters:
    ///   - snapshot: saves the last shot, and says where.
    ///   - control: does what else somebody who watches the activity asks for.
    init(
        _ request: LiveTimelapseRequest, _ recording: TimelapseRecording, output: OutputOptions, lastWords: LastWords,
        snapshot: @escaping @Sendable (String?) async throws -> String,
        control: @escaping @Sendable (ActivityControl) async -> Void
    ) {
        (self.request, self.recording, self.lastWords) = (request, recording, lastWords)
        (self.snapshot, self.control) = (snapshot, control)
        path = request.destination.path.absolute.wireText
        let progress = ActivityReporter.progress(output.progress)
        // What a person reads in a sentence of its own is not said in the line as well.
        let brief = ActivityReporter { progress.show($0.withoutMessage) }
        reporters = [output.json ? StandardStreams.events : nil, output.progress == .none ? nil : brief, .service()]
            .compactMap(\.self)
    }

    /// - Parameter hasKeys: whether keys of the terminal are taken.
    func show(_ event: TimelapseEvent, hasKeys: Bool) async {
        switch event {
        case .started(let path, let summary, let before):
            let until = request.settings.duration == nil && request.settings.maximumShots == nil ? " until Ctrl-C" : ""
            let keys = hasKeys ? " (space pauses, q stops)" : ""
            let old = before > 0 ? " after the \(Words.count(before, "shot")) that it has" : ""
            StandardStreams.printNote(
                "A shot every \(Self.interval(request.settings.interval)) to \(path)\(old)\(until)\(keys): \(summary).")
            var state = state(.running)
            state.message = summary
            start(state)
        case .progress(let progress):
            last = progress
            offerThumbnail()
            activity?.update(content(state(phase)))
        case .paused: StandardStreams.printNote("Paused: no shots are being taken.")
        case .resumed: StandardStreams.printNote("Shots are being taken again.")
        case .note(let words): StandardStreams.printNote(words)
        case .warning(let words):
            StandardStreams.printNote("rushes: \(Sentence(words).text)")
            var state = state(phase)
            state.message = Sentence(words).text
            activity?.update(content(state))
        case .moved(let place):
            path = place.wireText
            StandardStreams.printNote(
                "rushes: The movie's file is now \(Sentence.printable(place.wireText)); the shots continue there.")
            activity?.update(content(state(phase)))
        case .finishedPart(let part):
            path = part.next?.absolute.wireText ?? path
            StandardStreams.printNote(part.words)
        case .finishing: activity?.update(content(state(.finishing)))
        case .finished(let result, let progress):
            last = progress
            if activity == nil { start(state(.waiting)) }
            activity?.end(ActivityContent(state: state(result), staleDate: nil))
            lastWords.end()
            await shown.areShown()
            for line in Self.words(result) { StandardStreams.printNote(line) }
        }
    }

    private var phase: ContentState.Phase {
        last.isPaused ? .paused : last.cameraLoss != nil ? .interrupted : .running
    }

    private func start(_ state: ContentState) {
        let attributes = ActivityAttributes(
            title: request.destination.path.lastComponent.map { "\($0)" } ?? "Timelapse", output: path, inputs: [])
        guard
            let activity = try? Activity.request(
                kind: .timelapse, attributes: attributes.fitted, content: content(state))
        else { return }
        activity.answer(.snapshot, snapshot)
        activity.accept([.stop, .pause, .resume, .snapshot]) { [control] wish, _ in Task { await control(wish) } }
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        shown = (reporters + [desktop]).map { $0.follow(activity.events) }
        self.activity = activity
        lastWords.attach(activity)
    }

    /// Out of date after fifteen seconds: between shots that are far apart progress is told every four.
    private func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(15))
    }

    private func state(_ phase: ContentState.Phase) -> ContentState {
        var state = ContentState(phase: phase, elapsed: (ContinuousClock.now - begin).seconds)
        (state.completedItems, state.itemUnit) = (last.shots, .frames)
        state.totalItems = last.total.map { last.before + $0 }
        if let total = last.total, last.before + total > 0 {
            state.fraction = min(0.999, Double(last.before + last.due) / Double(last.before + total))
            state.remaining = Double(max(0, total - last.due)) * request.settings.interval.seconds
        }
        state.mediaTime = last.duration.seconds
        (state.framesWritten, state.framesDropped, state.bytesWritten) = (last.shots, last.missed, last.bytes)
        state.subtitle = subtitle(phase.isFinal || phase == .finishing)
        state.output = path
        if thumbnails.withLock({ $0.written }) { state.thumbnail = thumbnail?.wireText }
        return state
    }

    /// "127 of 130 shots, the next at 14:03:22".
    private func subtitle(_ isOver: Bool) -> String {
        var words = "\(last.due - last.missed) of \(last.due) shots"
        if last.dark > 0 { words += ", \(last.dark) too dark" }
        if let loss = last.cameraLoss { words += ", the camera is lost (\(loss))" }
        if let next = last.next, !isOver { words += ", the next at \(Self.clock(next))" }
        return words
    }

    private func state(_ result: RecordingResult) -> ContentState {
        var state = state(result.isPlayable ? .finished : .failed)
        state.fraction = result.isPlayable ? 1 : state.fraction
        state.remaining = nil
        (state.completedItems, state.framesWritten) = (result.progress.frames, result.progress.frames)
        (state.bytesWritten, state.mediaTime) = (result.progress.bytes, result.progress.duration.seconds)
        state.fileIsGood = result.isPlayable
        state.reason = result.reason.words
        state.message = result.problem
        state.output = result.path?.absolute.wireText
        return state
    }

    /// Draws the last shot small, on a thread of its own; one at a time.
    private func offerThumbnail() {
        let shots = last.shots
        guard let thumbnail, let shot = recording.lastShot,
            thumbnails.withLock({ state in
                guard !state.isBusy, state.shots != shots else { return false }
                (state.isBusy, state.shots) = (true, shots)
                return true
            })
        else { return }
        OwnThread.run("rushes-thumbnail") { [thumbnails, orientation = request.camera.orientation] in
            let jpeg = try? FrameThumbnail.jpeg(of: shot, orientation)
            let bytes = jpeg.flatMap { try? $0.withBytes { Data($0) } }
            let isWritten = bytes.map { (try? AtomicFile.replace(thumbnail, with: $0)) != nil } ?? false
            thumbnails.withLock { ($0.isBusy, $0.written) = (false, $0.written || isWritten) }
        }
    }

    private static func clock(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        return "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
    }

    private static func interval(_ time: MediaTime) -> String { "\(Words.number(time.seconds, digits: 3)) s" }

    private static func words(_ result: RecordingResult) -> [String] {
        // Of a movie to which nothing was added there is no more to say.
        guard let path = result.path, result.isPlayable || result.progress.frames > 0 else {
            return ["rushes: \(Sentence(result.problem ?? "No shot was taken, so there is no file.").text)"]
        }
        var parts = [Words.clock(result.progress.duration), Words.count(result.progress.frames, "shot")]
        parts.append(Words.size(result.progress.bytes))
        if result.progress.droppedFrames > 0 { parts.append("\(result.progress.droppedFrames) missed") }
        let end = result.reason.words
        let files = result.parts.isEmpty ? "\(path)" : "\(result.parts.count + 1) files, the last \(path)"
        let line = "\(files): \(parts.joined(separator: ", ")); \(end)\(Sentence.isClosed(end) ? "" : ".")"
        guard let problem = result.problem else { return [line] }
        return [line, "rushes: \(Sentence(problem).text)"]
    }
}
