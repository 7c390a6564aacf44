import Encoding
import LiveActivity
import Logging
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Runs a recording: hands what is asked for and seen to its ``RecordingStateMachine``, and does what that answers, in order.
///
/// Any thread may ask. The lock is held while the answer is done: nothing of it waits for a device or a disk, and what comes of it is
/// reported through ``RecordingReports``.
final class RecordingSupervisor: Sendable {
    let recording: RunningRecording
    let writer: MovieWriter
    let events: Mailbox<RecordingEvent>
    let parts: RecordingParts
    /// Whether another recording's files make its own go.
    private let sharesKeptFiles: Bool
    let video: (any FrameInput)?
    /// The microphones, the main one first.
    let audio: [AudioFeed]
    /// Where the frames of several cameras come from.
    let composition: CompositionFeed?
    /// Frames that the movie's encoder has handed out.
    let encodedFrames: @Sendable () -> Int?
    /// How players turn the movie, as it was prepared.
    let orientation: MovieOrientation
    /// Their own movies.
    let cameras: [CameraWriter]
    let limits: RecordingLimits
    /// What all files may have together.
    let sizeLimit: SizeLimit?
    /// How much before its start the recording begins; `nil` where it begins at once.
    let preRoll: PreRoll?
    /// Running time at which the recording ended that this one follows without a gap, where it does.
    private let precedingEnd = Locked<MediaTime?>(nil)
    /// Called with the running time at which the start was asked for.
    let onBegin: @Sendable (MediaTime) -> Void
    /// Where the movie is to begin that was asked for, by the encoders' time, as long as its first packet is on its way.
    let expectedBegin = Locked(MediaTime.zero)
    /// What had been lost when the recording began, and is not of it.
    let lossesBefore = Locked(LossHistory.Losses())
    /// The same over time, while its start is waited for.
    let losses = Locked(LossHistory())
    /// How players turn a movie that waits for its start, where that was told since it was prepared.
    let rotation = Locked<MovieOrientation.Rotation?>(nil)
    let disk: DiskSpace
    /// The same of each camera's own movie, for what becomes of the files.
    let cameraDisks: [DiskSpace]
    let machinePressure = PressureWatch()
    let date: RecordingDate
    /// How long its end waits for what precedes it.
    let grace: MediaTime
    private let place: Locked<MovieDestination>
    var destination: MovieDestination { place.withLock { $0 } }
    /// Where the file was asked for.
    var path: FilePath { destination.path }
    /// The session's running time.
    let now: @Sendable () -> MediaTime
    private let reports: RecordingReports
    private let machine: Locked<RecordingStateMachine>
    /// Why the file is to be completed, once.
    private let (endings, ending) = AsyncStream.makeStream(of: RecordingEndReason.self)

    /// - Parameter preRoll: how much before its start the recording begins; `nil` where it begins at once.
    init(
        _ recording: RunningRecording, _ setup: RecordingSetup, _ limits: RecordingLimits,
        _ place: Locked<MovieDestination>, _ events: Mailbox<RecordingEvent>, _ reports: RecordingReports,
        preRoll: PreRoll? = nil, keptFiles: KeptFiles? = nil,
        onBegin: @escaping @Sendable (MediaTime) -> Void = { _ in },
        now: @escaping @Sendable () -> MediaTime
    ) {
        (self.recording, writer, video, audio) = (recording, setup.writer, setup.video, setup.audio)
        (encodedFrames, orientation) = (setup.encodedFrames, setup.planned.options.orientation)
        (composition, cameras) = (setup.composition, setup.cameras.map(\.writer))
        (self.limits, self.events, self.reports, self.now) = (limits, events, reports, now)
        sizeLimit = setup.planned.options.sizeLimit
        date = setup.date
        grace = RecordingStateMachine.grace + max(.zero, .zero - MediaTime(setup.audioDelay))
        parts = RecordingParts(writer, place, setup.planned.options, limits, events, keptFiles)
        sharesKeptFiles = keptFiles != nil
        self.place = place
        let folder = place.withLock { $0.folder }
        disk = DiskSpace(folder, writer)
        cameraDisks = cameras.map { DiskSpace(folder, $0.writer) }
        (self.preRoll, self.onBegin) = (preRoll, onBegin)
        let devices: [String?] =
            setup.composition?.devices.map(\.plan.identity) ?? setup.video.map { [$0.plan.identity] } ?? []
        machine = Locked(
            RecordingStateMachine(limits: limits, cameras: devices, isStandby: preRoll != nil, grace: grace))
    }

    /// Asks for something, or tells of it.
    func handle(_ input: RecordingStateMachine.Input) {
        machine.withLock { machine in
            for action in machine.handle(input, at: now()) { perform(action) }
        }
    }

    /// Begins a recording that waits for it.
    ///
    /// - Parameter end: running time at which the one before ended: nothing lies between the two, as far as that is kept.
    func start(after end: MediaTime?) {
        precedingEnd.withLock { $0 = end }
        handle(.start)
    }

    /// Keeps the file that is written now.
    func pin() { Task { await parts.pin() } }

    /// Whether the start of a recording that waits for it was asked for.
    var hasBeenStarted: Bool { machine.withLock { $0.hasWaited } }

    /// Whether no device delivers anything, and one is waited for.
    var isNothingLeft: Bool { machine.withLock { $0.isNothingLeft } }

    /// Tells how far it is, but not behind the word that the file is being completed.
    func tell(_ progress: RecordingProgress) {
        machine.withLock { if $0.phase != .finishing { events.put(.progress(progress)) } }
    }

    /// Runs until the file is complete.
    func run() async -> RecordingResult {
        writer.takeChapters { [weak recording] in recording?.chapters ?? [] }
        let told = Task { await parts.tell() }
        let observation = Task { await observe() }
        let reported = Task { for await report in reports.all { handle(report) } }
        var reason = RecordingEndReason.stopped
        for await first in endings {
            reason = first
            break
        }
        observation.cancel()
        reported.cancel()
        events.put(.finishing(progress()))
        await parts.finishSaving()
        var result = await finish(reason, told)
        await parts.forget()
        if sharesKeptFiles { await parts.keepLast(result) }
        result.losses = machine.withLock { $0.losses(from: origin) }
        events.put(.finished(result))
        events.finish()
        return result
    }

    private func perform(_ action: RecordingStateMachine.Action) {
        switch action {
        case .begin(let time): begin(at: time, after: precedingEnd.withLock { $0 })
        case .pause(let time): if recording.pause(at: time) { events.put(.paused(progress())) }
        case .resume(let time): if recording.resume(at: time) { events.put(.resumed(progress())) }
        case .mark(let title, let time):
            if var chapter = recording.mark(title, at: time) {
                chapter.start = max(.zero, chapter.start - origin)
                events.put(.marked(chapter))
            }
        // Each camera's movie is one file, so theirs is too.
        case .split(let time):
            let (recording, reached) = (recording, recording.timeline.movieTime(of: now()) ?? .zero)
            let place = time > .zero ? time + origin : recording.isStanding ? reached : .zero
            let delay = Duration(max(.zero, place - reached))
            if cameras.isEmpty {
                Task { await parts.split(at: place, in: delay, isPaused: { recording.isStanding }) }
            }
        case .layout(let change, let duration): composition?.change(change, over: duration)
        case .changeSpeed(let encoder, let step): Task { await changeSpeed(of: encoder, to: step) }
        case .decimate(let decimation):
            recording.decimate(decimation)
            composition?.thinInsets(to: decimation.insets)
        case .warn(let words): events.put(.warning(words))
        case .tellSwitch(let camera): events.put(.switchedCamera(camera))
        case .end(let time):
            log.debug("recording ends", metadata: ["drift in ppm": "\(audio.map(\.drift))"])
            recording.end(at: time)
            Task {
                handle(.evaluate(seen()))
                try? await Task.sleep(for: Duration(grace))
                handle(.evaluate(seen()))
            }
        case .endVideo(let isLost): recording.endVideo(isLost: isLost)
        case .endAudio: for index in audio.indices { recording.endAudio(index) }
        case .endMicrophone(let index): recording.endAudio(index)
        case .endCamera(let index):
            recording.endCamera(index)
            cameras[index].writer.leaveAudio(of: writer)
        case .finish(let reason): ending.yield(reason)
        }
    }
}

/// What a recording's tracks report, in order. They hold a lock of their own just then, so nothing is done about it there.
struct RecordingReports: Sendable {
    let all: AsyncStream<RecordingStateMachine.Input>
    private let continuation: AsyncStream<RecordingStateMachine.Input>.Continuation

    init() { (all, continuation) = AsyncStream.makeStream() }

    func put(_ report: RecordingStateMachine.Input) { continuation.yield(report) }
}
