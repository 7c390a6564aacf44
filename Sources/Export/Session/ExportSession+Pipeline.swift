public import Encoding
import GStreamer
public import SystemPackage
import Threads

extension ExportSession {
    /// The whole work as gst-launch text: what would be done, without doing it. The file is read as far as its first pictures.
    ///
    /// Of a part whose beginning is encoded before the rest is copied, both pipelines, an empty line between them.
    ///
    /// - Throws: what ``export(to:)`` would.
    public static func pipeline(
        input: FilePath, settings: ExportSettings, destination: MovieDestination
    ) async throws -> String {
        let files = try PipelineFiles.find()
        let target = try ExportTarget(settings, container: try destination.container(), files: files)
        let file = try InputFile(input)
        let facts = try await onOwnThread("rushes-facts") { try InputFacts(file) }
        var planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        let job = ExportJob(
            input: input, settings: settings, destination: destination, thumbnail: nil, meter: ExportMeter())
        let output = TemporaryOutput(for: destination)
        var texts: [String] = []
        if let remux = MovieRemux(job, target, facts), settings.range != nil, let opened = try await remux.open(file) {
            if let anew = remux.settingsInsideGroup(opened) {
                planner.target = try ExportTarget(anew, container: target.container, files: files)
            }
            if let edge = try remux.edgeAttempt(opened, file, output) {
                texts.append(try await edge.pipeline(software: true).launchText)
            }
        }
        let attempt = ExportAttempt(job: job, file: file, planner: planner, output: output)
        return (texts + [try await attempt.pipeline().launchText]).joined(separator: "\n\n")
    }
}

extension ExportAttempt {
    /// - Parameter software: whether hardware encoders are passed over.
    func pipeline(software: Bool = false) async throws -> PipelineDescription {
        let choice = StreamChoice(target: planner.target, orientation: planner.facts.orientation)
        var setbacks = Setbacks()
        return try await job.repeating(output, &setbacks) { setbacks in
            try await makeReader(without: setbacks).reading(file, meter) { reader in
                let plan = try await plan(reader, software: software)
                return try plan.plan.standalone(reader, choice.filters, input: file.path, output: job.destination.path)
            }
        }
    }
}

extension ExportPlan {
    /// Where Rushes hands samples over in Swift, a queue stands.
    fileprivate func standalone(
        _ reader: MediaReader, _ filters: MediaReader.Filters, input: FilePath, output: FilePath
    ) throws -> PipelineDescription {
        let decode: [PipelineDescription.Node] = [.pad(of: "streams", template: ""), .make("queue")]
        func head(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
            let track = reader.tracks.first { $0.stream.kind == kind }
            let colours = kind == .video ? reader.colourNodes : []
            return decode + (track?.isCopied == true ? [] : [.make("decodebin")] + (try filters.nodes(kind)) + colours)
        }
        let description = try movie.standalone(
            video: movie.video == nil ? nil : head(.video), audio: movie.sound.isEmpty ? nil : head(.audio),
            path: output.string)
        return PipelineDescription([MediaReader.source(input.string)] + description.chains)
    }
}
