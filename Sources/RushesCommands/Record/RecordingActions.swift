import Errors
import LiveActivity
import MovieFiles
import Rushes
import SystemPackage

/// What keys, and those who watch from elsewhere, do to a recording.
struct RecordingActions: Sendable {
    let recording: Recording
    let controls: RecordingControls
    let microphones: MicrophoneMutes
    let photos: RecordingPhotos
    let cameras: CameraSwitch
    let layouts: CameraLayouts?
    let stop: @Sendable () async -> Void

    /// What is answered: what came of it.
    var answers: RecordingDisplay.Answers {
        [
            .set: { try await controls.set($0) }, .mute: { try await microphones.mute(true, $0) },
            .unmute: { try await microphones.mute(false, $0) },
            .save: { try await save($0).sentence },
            .switchCamera: { try await cameras.answer(CameraSwitchRequest($0)).sentence },
            .snapshot: { try await photos.take(SnapshotRequest($0 ?? ""), of: recording).sentence },
        ]
    }

    func perform(_ control: ActivityControl, _ text: String?) async {
        switch control {
        case .start: recording.start()
        case .mark: recording.mark(text)
        case .pause: recording.pause()
        case .resume: recording.resume()
        case .split: recording.split()
        case .pin: recording.pin()
        case .switchCamera: await cameras.ask(CameraSwitchRequest(text))
        case .swap: layouts?.swap()
        case .show: ShownCameras(rawValue: text ?? "").map { layouts?.show($0) }
        case .layout: layouts?.change(to: text ?? "")
        default: await stop()
        }
    }

    /// - Parameter key: of the terminal.
    func press(_ key: UInt8) {
        switch Character(Unicode.Scalar(key)) {
        case " ": if recording.isPaused { recording.resume() } else { recording.pause() }
        case "\r", "\n", "r": recording.start()
        case "m": recording.mark()
        case "a": Task { await microphones.toggle() }
        case "p": photos.take(SnapshotRequest(""), of: recording)
        case "n": recording.split()
        case "k": recording.pin()
        case "c": Task { await cameras.ask(CameraSwitchRequest(camera: nil)) }
        case "s": layouts?.swap()
        case "0": layouts?.show(.all)
        case "8": layouts?.show(.main)
        case "9": layouts?.show(.inset)
        case "1"..."7": layouts?.change(toKey: Int(key - UInt8(ascii: "0")))
        case "q": Task { await stop() }
        default: break
        }
    }

    /// Saves the last seconds as "30s /a/path" asks for; what came of it is an event, and why nothing did a line.
    private func save(_ text: String?) -> ControlAnswer {
        let words = (text ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        let duration = words.first.map { TimeSpan($0)?.duration ?? .zero } ?? Self.all
        let destination = words.dropFirst().first.flatMap { FilePath(wireText: $0) }.map { MovieDestination($0) }
        return ControlAnswer("The last seconds are being saved.") {
            let part: RecordingPart
            do {
                // Who asks at the socket has not been checked before.
                guard duration > .zero else {
                    throw RushesError(.invalidSettings, "'\(words.first ?? "")' is not a duration; write 30s, say.")
                }
                part = try await recording.save(last: duration, to: destination)
            } catch {
                let error = RushesError.answer(error)
                StandardStreams.printNote("rushes: \(Sentence("The last seconds are not saved: \(error)").text)")
                throw error
            }
            guard part.isPlayable else { throw RushesError(.writeFailed, part.savedWords) }
            return part.savedWords
        }
    }

    /// More than is ever kept.
    private static let all = Duration.seconds(1_000_000)
}
