import ArgumentParser
import Errors
import Foundation
import LiveActivity
import MovieFiles
import Rushes
import SystemPackage

/// Runs one take: opens the devices, records, tells the progress, ends on a signal or a limit.
struct RecordingSession {
    let request: RecordingRequest
    let output: OutputOptions

    init(_ request: RecordingRequest, output: OutputOptions) {
        self.request = request
        self.output = output
    }

    /// - Throws: ``ExitCode`` if the take did not end as intended; what kept it from starting.
    func run() async throws {
        let rotation = await MachineRotation.measured(request)
        guard let rotation else { return try await record(rotation) }
        try await RecordingSession(request.turned(by: rotation.rotation), output: output).record(rotation)
    }

    private func record(_ rotation: MachineRotation?) async throws {
        let session = CaptureSession()
        try await session.configure { configuration in
            configuration.cameras = request.cameras
            configuration.microphones = request.microphones
        }
        let stop = StopRequest<TriggeredStart> { await $0.stop() }
        let journal = ActivityJournal().keep()
        let lastWords = LastWords(request.destination.path, journal)
        let signals = await StopSignals.watch {
            await stop.stop()
        } onSecond: {
            await lastWords.say()
        }
        defer { signals.cancel() }
        let notice = RecordingNotice()
        let photos = RecordingPhotos(request, notice, rotation)
        let preview = PreviewOutput(title: request.destination.path.lastComponent?.string ?? "Rushes")
        let controls = RecordingControls(session, request, notice)
        func close() async {
            await session.stop()
            await session.removeOutput(preview)
            await photos.finish()
            await journal.finish()
        }
        let exit: ExitCode?
        do {
            if request.hasPreview { try await session.addOutput(preview) }
            try await photos.attach(to: session)
            let first = try await start(session, MovieFileOutput(), stop, controls)
            let shared = Shared(
                stop: stop, rotation: rotation, controls: controls, photos: photos,
                cameras: CameraSwitch(session, request, notice),
                microphones: MicrophoneMutes(session, request, notice), lastWords: lastWords,
                thumbnail: RecordingThumbnail(session, request), notice: notice)
            exit = try await showAll(from: first, shared)
            await shared.cameras.finish()
            await controls.restore()
        } catch {
            // Nothing more is recorded; what was before is to be complete all the same.
            await controls.restore()
            await close()
            throw error
        }
        await close()
        if let exit { throw exit }
    }

    /// What recordings that follow each other have in common.
    private struct Shared {
        let stop: StopRequest<TriggeredStart>
        let rotation: MachineRotation?
        let controls: RecordingControls
        let photos: RecordingPhotos
        let cameras: CameraSwitch
        let microphones: MicrophoneMutes
        let lastWords: LastWords
        let thumbnail: RecordingThumbnail
        let notice: RecordingNotice
    }

    /// Shows the first recording, and each that a trigger begins after it.
    ///
    /// - Returns: the worst exit status; `nil` where all ended as intended.
    private func showAll(from first: TriggeredStart, _ shared: Shared) async throws -> ExitCode? {
        var (triggers, exit): (TriggeredStart, ExitCode?) = (first, nil)
        while true {
            let recording = triggers.recording
            shared.lastWords.attach { recording.path }
            let turning = shared.rotation?.follow(recording)
            defer { turning?.cancel() }
            let ended = await show(triggers, shared)
            exit = Self.worse(exit, Self.exit(with: ended))
            let isWanted = await !shared.stop.isWanted
            guard let next = try await triggers.next(after: ended, isWanted: isWanted) else { return exit }
            await shared.stop.attach(next)
            triggers.letNextGo()
            triggers = next
        }
    }

    /// Shows one recording until it has ended.
    private func show(_ triggers: TriggeredStart, _ shared: Shared) async -> RecordingResult {
        let (recording, stop) = (triggers.recording, shared.stop)
        let actions = RecordingActions(
            recording: recording, controls: shared.controls, microphones: shared.microphones, photos: shared.photos,
            cameras: shared.cameras, layouts: CameraLayouts(recording, request)
        ) {
            await stop.stop()
        }
        let display = RecordingDisplay(
            request, output: output, lastWords: shared.lastWords, thumbnail: shared.thumbnail, notice: shared.notice,
            volumes: await actions.controls.microphoneVolumes, answers: actions.answers,
            isMuted: actions.microphones.isMuted, control: actions.perform)
        let keys = TerminalKeys { actions.press($0) }
        for await event in recording.events {
            if case .progress(let progress) = event {
                actions.cameras.look(isLost: progress.interruption != nil)
                if await !stop.isWanted { triggers.prepareNext(before: progress) }
            }
            if case .finishing = event, await !stop.isWanted { await triggers.prepareNext() }
            await display.show(event, hasKeys: keys != nil)
        }
        keys?.end()
        return await recording.result
    }

    /// Opens the devices and begins the take; a wish to stop ends the wait for either.
    private func start(
        _ session: CaptureSession, _ output: MovieFileOutput, _ stop: StopRequest<TriggeredStart>,
        _ controls: RecordingControls
    ) async throws -> TriggeredStart {
        let starting = Task {
            try await session.start()
            try await controls.begin()
            if request.showsMeter {
                try await LevelPreview(
                    startsRecording: true, style: self.output.progress, microphones: request.microphones
                )
                .show(session)
            }
            try await session.addOutput(output)
            await output.setLayout(request.layout)
            let recording =
                if let preRoll = request.preRollOfStart {
                    try await output.prepareRecording(
                        to: request.destination, settings: request.settings, limits: request.limits, preRoll: preRoll,
                        keptFiles: request.keptFiles)
                } else {
                    try await output.startRecording(
                        to: request.destination, settings: request.settings, limits: request.limits,
                        eachCamera: request.eachCamera)
                }
            return TriggeredStart(recording, session, output, request)
        }
        await stop.attach(starting)
        do {
            let recording = try await starting.value
            await stop.attach(recording)
            return recording
        } catch is CancellationError {
            throw RushesError(.cancelled, "Stopped before the first frame or sample arrived, so there is no file.")
        }
    }

    /// The exit status of a recording that did not end as intended.
    private static func exit(with result: RecordingResult) -> ExitCode? {
        // Nothing was to be recorded yet.
        if !result.hasBegun, result.reason.isIntended { return nil }
        if !result.isPlayable { return ExitStatus.failure }
        let isComplete =
            result.problem == nil && result.losses.isEmpty
            && (result.parts + result.cameraMovies).allSatisfy { $0.problem == nil }
        return result.reason.isIntended && isComplete ? nil : ExitStatus.endedByFault
    }

    /// Of several recordings one after the other.
    private static func worse(_ first: ExitCode?, _ second: ExitCode?) -> ExitCode? {
        [first, second].contains(ExitStatus.failure) ? ExitStatus.failure : first ?? second
    }
}
