import Capture
import Errors
import FileSystem
import Foundation
import LiveActivity
import MovieFiles
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
        let lastWords = LastWords(request.destination.path, journal, lastPart: "shot")
        let signals = await StopSignals.watch {
            await stop.stop()
        } onSecond: {
            await lastWords.say()
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
        lastWords.attach { recording.path }
        let display = LiveTimelapseDisplay(request, recording, output: output, lastWords: lastWords) { text in
            try await ControlAnswer("The last shot is being saved.") { try await save(recording, text) }.sentence
        } control: { control in
            switch control {
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
        if !result.isPlayable { throw ExitStatus.failure }
        if !result.reason.isIntended { throw ExitStatus.endedByFault }
    }

    /// Writes a frame of the camera, for a look at it before the shots begin.
    private func show(_ path: FilePath) async throws {
        let (frame, camera) = try await TimelapsePreview.frame { try await request.find() }
        try await ShotImage.write(frame, to: path, replacing: request.overwrites, cure: .overwriting)
        StandardStreams.printNote("\(path): \(camera).")
    }

    /// Saves the last shot as a JPEG: under a name, or beside the movie.
    ///
    /// - Returns: where, in a sentence.
    /// - Throws: ``RushesError`` where there is none, or it cannot be written: what is there stays.
    private func save(_ recording: TimelapseRecording, _ name: String?) async throws -> String {
        do {
            guard let shot = recording.lastShot else { throw RushesError(.nothingRecorded, "There is no shot yet.") }
            let path = name.flatMap { FilePath(wireText: $0) } ?? beside(recording.shotCount)
            try await ShotImage.write(shot, to: path, replacing: false)
            let words = "The last shot is saved as \(path)."
            StandardStreams.printNote(words)
            return words
        } catch {
            StandardStreams.printNote("rushes: \(Sentence("\(error)").text)")
            throw error
        }
    }

    /// "day shot 12.jpg", or with another number behind it where that is taken.
    private func beside(_ shot: Int) -> FilePath {
        let movie = request.destination.path
        let name = "\(movie.stem ?? "timelapse") shot \(shot)"
        func path(_ name: String) -> FilePath { movie.removingLastComponent().appending("\(name).jpg") }
        let names = [name] + (2...Self.attempts).map { "\(name) \($0)" }
        return path(names.first { !path($0).isThere } ?? name)
    }

    private static let attempts = 100
}
