import EditProjects
package import Encoding
import GStreamer
import Imaging
import MediaTypes
package import SystemPackage
import Threads

extension ExportSession {
    /// The whole work as gst-launch text: what would be done, without doing it. The file is read as far as its first frames.
    ///
    /// Where samples are copied as bytes, no pipeline runs, and a comment says so; of a part whose beginning is encoded before
    /// that, behind the pipeline that does it.
    ///
    /// - Throws: what ``export(to:)`` would.
    package static func pipeline(
        input: FilePath, settings: ExportSettings, destination: MovieDestination
    ) async throws -> String {
        let file = try InputFile(input)
        var (context, planner) = try await planned(settings, destination) { try MovieInput(file) }
        var texts: [String] = []
        if let remux = MovieRemux(context, planner), let opened = try await remux.open() {
            guard let anew = remux.settingsInsideGroup(opened) else {
                if let edge = try remux.edgeRun(opened) {
                    texts.append(try await edge.pipeline(software: true))
                }
                return (texts + [Self.copiesBytes]).joined(separator: "\n\n")
            }
            planner = try planner.planning(anew)
        } else if let remux = MatroskaRemux(context, planner), try await remux.isPossible() {
            return Self.copiesBytes
        }
        let run = EncodingRun(context: context, planner: planner)
        return (texts + [try await run.pipeline()]).joined(separator: "\n\n")
    }

    /// The same of movies that are composed: that of the main movie, and what Rushes does beside it in comments. When insets begin is not
    /// found out.
    package static func pipeline(
        composing composition: MovieComposition, settings: ExportSettings, destination: MovieDestination
    ) async throws -> String {
        let (context, planner) = try await planned(settings, destination) {
            try CompositionOrigin(composition: composition).open()()
        }
        let run = EncodingRun(context: context, planner: planner)
        return ([try await run.pipeline()] + comments(on: composition)).joined(separator: "\n")
    }

    /// How an input would be exported.
    private static func planned(
        _ settings: ExportSettings, _ destination: MovieDestination,
        open: @escaping @Sendable () throws -> any ExportInput
    ) async throws -> (ExportContext, ExportPlanner) {
        let files = try PipelineFiles.find()
        var target = try ExportTarget(settings, container: try destination.container(), files: files)
        let input = try await onOwnThread("rushes-input", open)
        target.settings = try input.properties.settled(settings, FilePath(input.displayName))
        target.tracks = try await onOwnThread("rushes-tracks") {
            try ChosenTracks(settings, input.file, input.properties, of: input.displayName)
        }
        let context = ExportContext(
            input: input, settings: target.settings, destination: destination,
            output: TemporaryOutput(for: destination), status: ExportStatus())
        return (
            context, ExportPlanner(target: target, properties: input.properties, tables: try EncoderTables(files))
        )
    }

    private static func comments(on composition: MovieComposition) -> [String] {
        let layouts = composition.steps.map { step in
            step.time == .zero ? "\(step.choice.layout)" : "\(step.choice.layout) from \(step.time.words) on"
        }
        let insets = composition.insets.map { path in
            let source = PipelineDescription([MediaReader.source(path.string) + [.make("decodebin")]])
            return "# Rushes draws the frames of \(path.displayName) into it (\(layouts.joined(separator: "; "))): "
                + source.launchText
        }
        switch composition.audio {
        case .movie(0): return insets
        case .movie(let number):
            return insets + ["# The audio is that of \(composition.paths[number].displayName)."]
        case .mixed: return insets + ["# Rushes mixes the audio of all."]
        }
    }

    private static let copiesBytes = "# Samples are copied as bytes; no pipeline runs for them."
}

extension EncodingRun {
    /// As text, with a comment for each thing that is done to frames beside it.
    ///
    /// - Parameter software: whether hardware encoders are passed over.
    func pipeline(software: Bool = false) async throws -> String {
        try await context.unwatched().retrying { reasons in
            try await context.input.source(for: planner.target, without: reasons).reading(status) { source in
                let plan = try await plan(source, software: software)
                let audio = planner.target.tracks.ordersAudio ? plan.tracks.audio.first?.track.stream.padName : nil
                let description = try plan.plan.standalone(source, audioPad: audio, output: context.destination.path)
                return ([description.printedText] + comments(plan.plan)).joined(separator: "\n")
            }
        }
    }

    private func comments(_ plan: ExportPlan) -> [String] {
        [
            plan.toneMapper.map { _ in "# Rushes makes SDR of the frames (HDR to BT.709) before the encoder gets them."
            },
            target.lookupTable.map { _ in "# Rushes changes the frames' colors by the look-up table." },
            target.burntSubtitles.map { _ in "# Rushes draws the subtitles into the frames." },
        ].compactMap(\.self)
    }

    private var target: ExportTarget { planner.target }
}

extension ExportPlan {
    /// Where Rushes hands samples over in Swift, a queue stands.
    ///
    /// - Parameter audioPad: where the audio comes from; nil: from any pad that fits.
    fileprivate func standalone(
        _ source: any FrameSource, audioPad: String?, output: FilePath
    ) throws -> PipelineDescription {
        var audioNodes = movie.audio.isEmpty ? nil : try source.printedNodes(.audio)
        if let audioPad, case .pad(let element, _)? = audioNodes?.first {
            audioNodes?[0] = .pad(of: element, template: audioPad)
        }
        let description = try movie.standalone(
            video: movie.video == nil ? nil : source.printedNodes(.video),
            audio: [audioNodes], path: output.string)
        return PipelineDescription([source.printedSource] + description.chains)
    }
}
