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
        let target = try ExportTarget(settings, container: try destination.container(), files: files)
        let file = try InputFile(input)
        let facts = try await onOwnThread("rushes-facts") { try InputProperties(file) }
        var planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        let context = ExportContext(
            input: input, settings: settings, destination: destination, thumbnail: nil, meter: ExportStatus())
        let output = TemporaryOutput(for: destination)
        var texts: [String] = []
        if let remux = MovieRemux(context, target, facts), let opened = try await remux.open(file) {
            guard let anew = remux.settingsInsideGroup(opened) else {
                if let edge = try remux.edgeAttempt(opened, file, output) {
                    texts.append(try await edge.pipeline(software: true).printedText)
                }
                return (texts + [Self.copiesBytes]).joined(separator: "\n\n")
            }
            planner.target = try ExportTarget(anew, container: target.container, files: files)
        } else if let remux = MatroskaRemux(context, target, facts), try await remux.isPossible(file) {
            return Self.copiesBytes
        }
        let attempt = EncodingRun(context: context, file: file, planner: planner, output: output)
        return (texts + [try await attempt.pipeline().printedText]).joined(separator: "\n\n")
    }

    private static let copiesBytes = "# Samples are copied as bytes; no pipeline runs for them."
}

extension EncodingRun {
    /// - Parameter software: whether hardware encoders are passed over.
    func pipeline(software: Bool = false) async throws -> PipelineDescription {
        let choice = StreamChoice(target: planner.target, facts: planner.facts)
        var setbacks = RetryReasons()
        return try await context.repeating(output, &setbacks) { setbacks in
            try await makeReader(without: setbacks).reading(file, meter) { reader in
                let plan = try await plan(reader, software: software)
                return try plan.plan.standalone(
                    reader, choice.filters, planner.facts.container, input: file.path, output: context.destination.path)
            }
        }
    }
}

extension ExportPlan {
    /// Where Rushes hands samples over in Swift, a queue stands.
    fileprivate func standalone(
        _ reader: MediaReader, _ filters: MediaReader.Filters, _ container: InputContainer, input: FilePath,
        output: FilePath
    ) throws -> PipelineDescription {
        let decode: [PipelineDescription.Node] = [.pad(of: "streams", template: ""), .make("queue")]
        func head(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
            let track = reader.tracks.first { $0.stream.kind == kind }
            let colours = kind == .video ? reader.colourNodes : []
            return decode + (track?.isCopied == true ? [] : [.make("decodebin")] + (try filters.nodes(kind)) + colours)
        }
        let description = try movie.standalone(
            video: movie.video == nil ? nil : head(.video), audio: movie.audio.isEmpty ? nil : head(.audio),
            path: output.string)
        return PipelineDescription([MediaReader.source(input.string, caps: container.caps)] + description.chains)
    }
}
