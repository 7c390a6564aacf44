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
        let properties = try await onOwnThread("rushes-input") { try InputProperties(file) }
        var planner = ExportPlanner(target: target, properties: properties, tables: try EncoderTables(files))
        let context = ExportContext(
            file: file, properties: properties, settings: settings, destination: destination,
            output: TemporaryOutput(for: destination), status: ExportStatus())
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
        let choice = StreamChoice(target: planner.target, properties: planner.properties)
        return try await context.unwatched().retrying { reasons in
            try await makeReader(without: reasons).reading(context.file, status) { reader in
                let plan = try await plan(reader, software: software)
                return try plan.plan.standalone(
                    reader, choice.filters, planner.properties.container, input: context.file.path,
                    output: context.destination.path)
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
