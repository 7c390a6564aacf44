import Capture
import Errors
import Foundation
import LiveActivity
import Rushes
import SystemPackage

/// Runs a timelapse from a camera: opens it, tells the progress, ends on a signal or a limit.
struct LiveTimelapseRun {
    let request: LiveTimelapseRequest
    let output: OutputOptions

    /// - Throws: ``ExitCode`` if it did not end as intended; what kept it from starting.
    func run() async throws {
        if let preview = request.preview { return try await show(preview) }
        let journal = ActivityJournal().keep()
        let stop = StopRequest<TimelapseRecording> { await $0.stop() }
        let signals = await StopSignals.watch {
            await stop.stop()
        } onSecond: {
            await journal.finish(within: .seconds(1))
        }
        defer { signals.cancel() }
        let starting = Task {
            try await TimelapseRecording(to: request.destination, request.settings) { try await request.find() }
        }
        await stop.attach(starting)
        let recording: TimelapseRecording
        do { recording = try await starting.value } catch is CancellationError {
            throw RushesError(.cancelled, "Stopped before the first frame arrived, so there is no file.")
        }
        await stop.attach(recording)
        let display = LiveTimelapseDisplay(request, recording, output: output) { control, text in
            switch control {
            case .snapshot: await save(recording, text)
            case .pause: recording.pause()
            case .resume: recording.resume()
            default: await stop.stop()
            }
        }
        let keys = TerminalKeys { key in
            switch Character(Unicode.Scalar(key)) {
            case " ": if recording.isPaused { recording.resume() } else { recording.pause() }
            case "q": Task { await stop.stop() }
            default: break
            }
        }
        for await event in recording.shotEvents { await display.show(event, hasKeys: keys != nil) }
        keys?.end()
        let result = await recording.result
        await journal.finish()
        if !result.fileIsGood { throw ExitStatus.failure }
        if !result.reason.isIntended { throw ExitStatus.endedByFault }
    }

    /// Writes a frame of the camera, for a look at it before the shots begin.
    private func show(_ path: FilePath) async throws {
        let (frame, camera) = try await TimelapsePreview.frame { try await request.find() }
        try await ShotImage.write(frame, to: path, replacing: request.overwrites)
        StandardStreams.printNote("\(path): \(camera).")
    }

    /// Saves the last shot as a JPEG: under a name, or beside the movie.
    private func save(_ recording: TimelapseRecording, _ name: String?) async {
        guard let shot = recording.lastShot else { return StandardStreams.printNote("rushes: There is no shot yet.") }
        let movie = request.destination.path
        let path =
            name.map { FilePath($0) }
            ?? movie.removingLastComponent().appending("\(movie.stem ?? "timelapse") shot \(recording.shotCount).jpg")
        do {
            try await ShotImage.write(shot, to: path, replacing: true)
            StandardStreams.printNote("The last shot is saved as \(path).")
        } catch { StandardStreams.printNote("rushes: \(Sentence("\(error)").text)") }
    }
}
