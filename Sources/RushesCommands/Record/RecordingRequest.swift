import ArgumentParser
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
    let cameras: [VideoSourcePlan]
    let layout: Layout
    /// Of each camera's own movie; `nil` for none.
    let eachCamera: MovieSettings?
    let microphone: AudioSourcePlan?
    let settings: MovieSettings
    let limits: RecordingLimits
    let gain: Double
    let isMuted: Bool
    /// Whether levels are shown first, until Return is pressed.
    let showsMeter: Bool
    /// How much lies before a start that is waited for; `nil` for a take that begins at once.
    let preRoll: Duration?
    /// Whether the last seconds are kept, so that they can be saved.
    let keepsHistory: Bool

    /// - Throws: ``RushesError``: one sentence with the cure.
    init(_ command: RecordCommand) async throws {
        let path = command.file.map { FilePath(typed: $0) } ?? DefaultName.path(at: Date())
        // One movie has the name that it is given, with whatever percent signs.
        destination =
            command.limits.splitEvery == nil
            ? MovieDestination(path, replacesExisting: command.overwrite)
            : try MovieDestination(naming: path, at: Date(), replacesExisting: command.overwrite)
        container = try destination.container()
        var settings = try MovieSettings(command)
        var limits = command.limits.limits
        limits.maxReplayDuration = command.standby.replay.map { .seconds($0.seconds) }
        self.limits = limits
        preRoll = command.standby.standby ? .seconds(command.standby.preRoll?.seconds ?? 0) : nil
        keepsHistory = command.standby.keepsHistory
        let hasCamera = try CameraArgument(command.sources.camera).source != "none"
        let hasMicrophone = command.sources.microphone != "none" && command.encoding.audio != AudioCodec.none
        guard hasCamera || hasMicrophone else {
            throw ValidationError("There is neither a camera nor a microphone to record; give one of them.")
        }
        let own = try ([command.sources.camera] + command.composition.inset).map { try CameraArgument($0) }
        let insets = own.dropFirst().map(\.source)
        guard insets.isEmpty || hasCamera else {
            throw ValidationError("--inset stands in a main camera's frame; give that with --camera.")
        }
        guard !insets.contains("none") else { throw ValidationError("--inset none is not a camera; leave it out.") }
        layout = try command.composition.layout.map(LayoutArgument.layout) ?? Layout(.corner(.bottomRight))
        if command.composition.alsoSeparate {
            guard !command.standby.standby else {
                throw ValidationError("--also-separate begins at once; leave --standby out.")
            }
            guard command.limits.splitEvery == nil else {
                throw ValidationError("--also-separate writes each camera to one file; leave --split-every out.")
            }
            var each = settings
            if let codec = command.composition.separateCodec { (each.videoCodec, each.profile) = (codec, nil) }
            for camera in own {
                // The settings' orientation is the composed frame's.
                each.orientation = camera.orientation
                try each.check(container: container, hasVideo: true, hasAudio: hasMicrophone)
            }
            each.orientation = .upright
            eachCamera = each
        } else {
            eachCamera = nil
        }
        if insets.isEmpty, own[0].orientation != .upright {
            guard settings.orientation == .upright else {
                throw ValidationError(
                    "--rotation and --mirror turn the same movie as what stands behind its camera; give one of them.")
            }
            settings.orientation = own[0].orientation
        }
        self.settings = settings
        try settings.check(container: container, hasVideo: hasCamera, hasAudio: hasMicrophone)
        if !command.printPipeline { try destination.check(needing: limits.minFreeDiskSpaceLimit) }
        let sources = try await ChosenSources(
            cameras: own.map(\.source), microphone: hasMicrophone ? command.sources.microphone : "none")
        let wanted = zip(sources.cameras, own).enumerated().map { index, camera in
            let (size, rate) = index == 0 ? (command.video.size, command.video.rate) : (nil, nil)
            return (
                source: camera.0,
                request: FormatRequest(
                    size: camera.1.size ?? size, rate: (camera.1.rate ?? rate)?.fraction,
                    bitDepth: command.encoding.depth, copiesStream: command.encoding.codec == .copy)
            )
        }
        cameras = try zip(
            VideoSourcePlan.plans(wanted, settings: settings, eachCamera: eachCamera, container: container), own
        ).map { plan, argument in
            var plan = plan
            plan.orientation = argument.orientation
            return plan
        }
        microphone = try sources.microphone.map { try AudioSourcePlan($0, channels: command.audio.channels) }
        gain = command.audio.gain.value
        isMuted = command.audio.mute
        showsMeter = command.audio.meter
    }

    var camera: VideoSourcePlan? { cameras.first }

    /// The whole take as gst-launch text. A sound server's microphone has no element in it: libpulse brings its samples.
    ///
    /// - Throws: ``RushesError`` if no encoder fits.
    func pipeline() async throws -> String {
        let planned = try await MoviePlanner(settings: settings, container: container).plan(
            frames: camera.map { .init(caps: $0.plannedCaps, rate: $0.rate) },
            audio: microphone.map { .init(caps: $0.delivers, channels: $0.channels, rate: AudioSourcePlan.sampleRate) },
            triesHardware: false)
        let isServers = microphone?.microphone != nil
        var text = planned.plan.standalone(
            video: camera?.nodes, audio: isServers ? nil : microphone?.nodes, path: destination.path.string
        ).printedText
        for inset in cameras.dropFirst() {
            text +=
                "\n# Rushes draws the frames of \(inset.name) into it (\(layout)): \(PipelineDescription([inset.nodes]).launchText)"
        }
        guard isServers, let microphone else { return text }
        let standIn = PipelineDescription([microphone.nodes]).launchText
        return text + "\n# appsrc name=audio gets \(microphone.name) from libpulse; in gst-launch-1.0 write: \(standIn)"
    }
}

extension VideoSourcePlan {
    /// What the camera will deliver, as far as it is known without opening it.
    fileprivate var plannedCaps: Caps {
        switch delivers {
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
