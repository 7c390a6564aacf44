package import Encoding
import GStreamer
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
        let files = try PipelineFiles.find()
        var target = try ExportTarget(settings, container: try destination.container(), files: files)
        let file = try InputFile(input)
        let source = try await onOwnThread("rushes-input") { try MovieInput(file) }
        target.tracks = try await onOwnThread("rushes-tracks") {
            try ChosenTracks(settings, source.file, source.properties, of: source.displayName)
        }
        var planner = ExportPlanner(target: target, properties: source.properties, tables: try EncoderTables(files))
        let context = ExportContext(
            input: source, settings: settings, destination: destination, output: TemporaryOutput(for: destination),
            status: ExportStatus())
        var texts: [String] = []
        if let remux = MovieRemux(context, planner), let opened = try await remux.open() {
            guard let anew = remux.settingsInsideGroup(opened) else {
                if let edge = try remux.edgeRun(opened) {
                    texts.append(try await edge.pipeline(software: true).printedText)
                }
                return (texts + [Self.copiesBytes]).joined(separator: "\n\n")
            }
            planner = try planner.planning(anew)
        } else if let remux = MatroskaRemux(context, planner), try await remux.isPossible() {
            return Self.copiesBytes
        }
        let run = EncodingRun(context: context, planner: planner)
        return (texts + [try await run.pipeline().printedText]).joined(separator: "\n\n")
    }

    private static let copiesBytes = "# Samples are copied as bytes; no pipeline runs for them."
}

extension EncodingRun {
    /// - Parameter software: whether hardware encoders are passed over.
    func pipeline(software: Bool = false) async throws -> PipelineDescription {
        try await context.unwatched().retrying { reasons in
            try await context.input.source(for: planner.target, without: reasons).reading(status) { source in
                let plan = try await plan(source, software: software)
                let audio = planner.target.tracks.ordersAudio ? plan.tracks.audio.first?.track.stream.padName : nil
                return try plan.plan.standalone(source, audioPad: audio, output: context.destination.path)
            }
        }
    }
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
            audio: audioNodes, path: output.string)
        return PipelineDescription([source.printedSource] + description.chains)
    }
}
