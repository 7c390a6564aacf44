import ArgumentParser
import Capture
import Foundation
import GStreamer
import Imaging
import Rushes
import SystemPackage

/// A take as asked for on the command line, checked as far as it can be before a device is opened.
struct RecordingRequest {
    let destination: MovieDestination
    let container: Container
    /// The main one first.
    private(set) var cameras: [VideoSourcePlan]
    let layout: Layout
    /// Of each camera's own movie; `nil` for none.
    let eachCamera: MovieSettings?
    /// The main one first, each as loud as it is to be recorded.
    let microphones: [AudioSourcePlan]
    /// Each as it was named.
    let microphoneTexts: [String]
    private(set) var settings: MovieSettings
    let limits: RecordingLimits
    /// What all movies that a trigger begins have in common, where the oldest files are deleted.
    let keptFiles: KeptFiles?
    /// Whether levels are shown first, until Return is pressed.
    let showsMeter: Bool
    /// How much lies before a start that is waited for; `nil` for a take that begins at once.
    let preRoll: Duration?
    /// Whether a window shows what is recorded.
    let hasPreview: Bool
    /// The camera as it was named.
    let cameraText: String
    /// What becomes of the recording where a device is lost.
    let onLoss: DeviceLossChoice
    /// What each movie begins for by itself, and how long it goes on after that.
    let triggers: [RecordingTrigger]
    let postRoll: Duration
    /// Whether players turn the movie as the machine is held when it begins.
    let turnsWithMachine: Bool
    /// Whether the last seconds are kept, so that they can be saved.
    let keepsHistory: Bool
    /// What is set of the main camera.
    let controls: [DeviceControlRequest]

    /// - Throws: ``RushesError``: one sentence with the cure.
    init(_ command: RecordCommand) async throws {
        destination = try Self.destination(command)
        container = try destination.container()
        try command.checkOptions(for: container)
        var settings = try MovieSettings(command, hasVideo: container.holdsVideo)
        settings.videoCodec = try EncodingRules.codec(
            settings.videoCodec, at: command.encoding.bitrate, in: container)
        var limits = command.limits.limits
        limits.maxReplayDuration = command.standby.replay?.duration
        self.limits = limits
        keptFiles = command.standby.trigger.isEmpty ? nil : limits.maxKeptFileSize.map { KeptFiles(limit: $0) }
        // The name's ending decides whether there is a camera.
        cameraText = container.holdsVideo ? command.sources.camera : "none"
        onLoss = command.limits.onLoss
        preRoll = command.standby.wait
        (triggers, postRoll) = (command.standby.trigger.map(\.trigger), command.standby.after)
        controls = try command.sources.controls()
        keepsHistory = command.standby.keepsHistory
        let heard = command.encoding.audio == AudioCodec.none ? [] : try command.sources.microphones()
        let own = try ([cameraText] + command.composition.inset).map { try CameraArgument($0) }
        let rules = RecordingRules(
            command: command, container: container, cameras: own, hasMicrophone: !heard.isEmpty,
            hasControls: !controls.isEmpty)
        try rules.check()
        hasPreview = command.preview
        turnsWithMachine = rules.turnsWithMachine
        layout = try command.composition.layout.map(LayoutArgument.layout) ?? Layout(.corner(.bottomRight))
        eachCamera = command.composition.alsoSeparate ? settings.eachCamera(command) : nil
        if !rules.hasInsets, own[0].orientation != .upright {
            try rules.checkOwnOrientation(beside: settings.orientation)
            settings.orientation = own[0].orientation
        }
        self.settings = settings
        try rules.check(settings, eachCamera: eachCamera)
        if !command.printPipeline { try destination.check(needing: limits.minFreeDiskSpaceLimit) }
        let sources = try await ChosenSources(
            cameras: own.map(\.source), microphones: heard.map(\.source))
        let plans = try VideoSourcePlan.plans(
            zip(sources.cameras, Self.formats(of: own, command)).map { (source: $0, request: $1) },
            settings: settings, eachCamera: eachCamera, container: container)
        // What a movie of one camera is turned by is how that hangs, so that one that follows it is turned otherwise.
        cameras = zip(plans, own).map { $0.oriented(rules.hasInsets ? $1.orientation : settings.orientation) }
        microphoneTexts = heard.map(\.source)
        microphones = try zip(heard, sources.microphones).map { try $0.plan($1, command.audio) }
        showsMeter = command.audio.meter
    }

    private static func destination(_ command: RecordCommand) throws -> MovieDestination {
        let path = command.file.map { FilePath(typed: $0) } ?? DefaultName.path(at: Date())
        // One movie has the name that it is given, with whatever percent signs.
        return command.limits.splitEvery == nil && command.standby.trigger.isEmpty
            ? MovieDestination(path, replacesExisting: command.overwrite)
            : try MovieDestination(naming: path, at: Date(), replacesExisting: command.overwrite)
    }

    /// What is asked of each camera: size and rate as its own argument says, and of the main one as the options do.
    private static func formats(of cameras: [CameraArgument], _ command: RecordCommand) -> [FormatRequest] {
        cameras.enumerated().map { index, camera in
            let (size, rate) = index == 0 ? (command.video.size, command.video.rate) : (nil, nil)
            return FormatRequest(
                size: camera.size ?? size, rate: (camera.rate ?? rate)?.fraction, bitDepth: command.encoding.depth,
                copiesStream: command.encoding.codec == .copy)
        }
    }

    var camera: VideoSourcePlan? { cameras.first }

    /// The same with another angle of the movie, as --rotation says it.
    func turned(by rotation: MovieOrientation.Rotation) -> RecordingRequest {
        var request = self
        request.settings.orientation.rotation = rotation
        if cameras.count == 1 { request.cameras[0].orientation = request.settings.orientation }
        return request
    }

    /// What is before a start that is waited for; a trigger's is known so much later as it takes to be sure of it.
    var preRollOfStart: PreRoll? {
        preRoll.map { PreRoll($0, margin: triggers.isEmpty ? .zero : .milliseconds(600)) }
    }
    /// Whether another camera may follow it: a stream that is copied is one camera's.
    var maySwitch: Bool { cameras.first.map { $0.encoding == nil } ?? false }

    /// The whole take as gst-launch text. A sound server's microphone has no element in it: libpulse brings its samples.
    ///
    /// - Throws: ``RushesError`` if no encoder fits.
    func pipeline() async throws -> String {
        let planned = try await MoviePlanner(settings: settings, container: container).plan(
            frames: camera.map { .init(caps: $0.plannedCaps, rate: $0.rate) },
            audio: AudioSourcePlan.tracks(of: microphones, isMixed: isMixed), triesHardware: false)
        var text = planned.plan.standalone(
            video: camera?.nodes, audio: microphones.map { $0.microphone == nil ? $0.nodes : nil },
            path: destination.path.string
        ).printedText
        for inset in cameras.dropFirst() {
            text +=
                "\n# Rushes draws the frames of \(inset.name) into it (\(layout)): \(PipelineDescription([inset.nodes]).launchText)"
        }
        for (index, microphone) in microphones.enumerated() {
            let name = index == 0 ? "audio" : "audio-\(index)"
            let standIn = PipelineDescription([microphone.nodes]).launchText
            if isMixed, index > 0 {
                text += "\n# Rushes mixes \(microphone.name) into it: \(standIn)"
            } else if microphone.microphone != nil {
                text +=
                    "\n# appsrc name=\(name) gets \(microphone.name) from libpulse; in gst-launch-1.0 write: \(standIn)"
            }
        }
        return text
    }

    /// Whether all microphones are one track.
    private var isMixed: Bool {
        microphones.count > 1 && (settings.mixesMicrophones || !container.holdsSeveralAudioTracks)
    }
}

extension VideoSourcePlan {
    fileprivate func oriented(_ orientation: MovieOrientation) -> VideoSourcePlan {
        var plan = self
        plan.orientation = orientation
        return plan
    }

    /// What the camera will deliver, as far as it is known without opening it.
    fileprivate var plannedCaps: Caps {
        switch outputFormat {
        case .raw(let caps), .encoded(_, let caps): caps
        // Then the planner says what is not known.
        case .unknown: capsAtEnd ?? Caps("video/x-raw", [:])
        }
    }

    /// What a launch line says at its end about its frames: "gst:… ! video/x-raw,width=640,height=480".
    private var capsAtEnd: Caps? {
        guard summary.hasPrefix("gst:"), let end = summary.split(separator: "!").last, end.contains("video/x-raw")
        else { return nil }
        return try? Caps(end.trimmingCharacters(in: .whitespaces))
    }
}
