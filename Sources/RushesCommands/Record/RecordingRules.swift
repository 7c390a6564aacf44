import ArgumentParser
import Capture
import Encoding
import MediaTypes

/// Which options of a recording contradict each other, or what the recording is made of.
struct RecordingRules {
    let command: RecordCommand
    let container: Container
    /// As they are named, the main one first.
    let cameras: [CameraArgument]
    let hasMicrophone: Bool
    let hasControls: Bool

    var hasCamera: Bool { cameras[0].source != "none" }
    var hasInsets: Bool { cameras.count > 1 }
    var turnsWithMachine: Bool { command.video.rotation == .automatic }
    private var copiesStream: Bool { command.encoding.codec == .copy }

    /// - Throws: `ValidationError` with what is to be left out or given.
    func check() throws {
        try checkSources()
        try checkInsets()
        try checkTriggers()
        try checkLoss()
    }

    /// - Throws: ``RushesError`` where the container cannot hold the movie, or that of one of the cameras.
    func check(_ settings: MovieSettings, eachCamera: MovieSettings?) throws {
        var turned = settings
        // However the machine is held, so that the refusal does not depend on that.
        if turnsWithMachine { turned.orientation.rotation = .quarter }
        try turned.check(container: container, hasVideo: hasCamera, hasAudio: hasMicrophone)
        guard let eachCamera else { return }
        for camera in cameras {
            if camera.orientation != .upright, !container.isMovieFile { throw cannotTurn }
            try eachCamera.checkSeparate(
                camera.orientation, command.composition.separateCodec?.codec, in: container, hasAudio: hasMicrophone)
        }
    }

    private func checkSources() throws {
        guard !command.preview || hasCamera && !copiesStream else {
            throw ValidationError("--preview shows frames that are encoded here; leave it out.")
        }
        guard hasCamera || hasMicrophone else {
            throw ValidationError(
                container.holdsVideo
                    ? "There is neither a camera nor a microphone to record; give one of them."
                    : "\(container.displayName) holds audio alone, and there is no microphone; choose one with --microphone."
            )
        }
        guard !turnsWithMachine || hasCamera else {
            throw ValidationError("--rotation auto turns a camera's frames, and there is no camera; leave it out.")
        }
        guard !hasControls || hasCamera else {
            throw ValidationError("--set is for a camera; give one with --camera.")
        }
    }

    private func checkInsets() throws {
        guard !hasInsets || hasCamera else {
            throw ValidationError("--inset stands in a main camera's frame; give that with --camera.")
        }
        guard !cameras.dropFirst().contains(where: { $0.source == "none" }) else {
            throw ValidationError("--inset none is not a camera; leave it out.")
        }
        guard command.composition.alsoSeparate else { return }
        guard command.standby.wait == nil else {
            throw ValidationError("--also-separate begins at once; leave --standby and --trigger out.")
        }
        guard command.limits.splitEvery == nil else {
            throw ValidationError("--also-separate writes each camera to one file; leave --split-every out.")
        }
    }

    private func checkTriggers() throws {
        for trigger in command.standby.trigger.map(\.trigger) {
            let isThere = if case .sound = trigger { hasMicrophone } else { hasCamera && !copiesStream }
            guard isThere else {
                throw ValidationError(
                    "--trigger motion watches a camera whose frames are encoded, and --trigger sound a microphone; there is none."
                )
            }
        }
    }

    private func checkLoss() throws {
        guard case .switchCamera(let camera) = command.limits.onLoss else { return }
        guard hasCamera, !hasInsets, !copiesStream else {
            throw ValidationError(
                "--on-loss switch lets one camera follow another, whose frames are encoded; choose hold or end.")
        }
        if let camera { _ = try CameraSwitch.check(camera) }
    }

    /// - Throws: `ValidationError` where the one camera is turned behind its name, and the movie beside that, or the container
    ///   cannot tell players to.
    func checkOwnOrientation(beside orientation: MovieOrientation) throws {
        // Audio alone is refused for its camera.
        guard container.isMovieFile || !container.holdsVideo else {
            throw cannotTurn
        }
        guard orientation == .upright, !turnsWithMachine else {
            throw ValidationError(
                "--rotation and --mirror turn the same movie as rotate= and mirror after --camera; use one or the other."
            )
        }
    }

    private var cannotTurn: ValidationError {
        ValidationError(
            "\(container.displayName) cannot tell players to rotate or mirror the video; "
                + "name the file .mov or .mp4, or leave rotate= and mirror after the camera out.")
    }
}

extension MovieSettings {
    /// Those of each camera's own movie.
    func eachCamera(_ command: RecordCommand) -> MovieSettings {
        var each = separate(command.composition.separateCodec?.codec)
        // These settings' orientation is the composed frame's.
        each.orientation = .upright
        return each
    }
}
