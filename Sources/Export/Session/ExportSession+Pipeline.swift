public import Encoding
import GStreamer
public import SystemPackage
import Threads

extension ExportSession {
    /// The whole work as gst-launch text: what would be done, without doing it. The file is read as far as its first pictures.
    ///
    /// - Throws: what ``export(to:)`` would.
    public static func pipeline(
        input: FilePath, settings: ExportSettings, destination: MovieDestination
    ) async throws -> String {
        let files = try PipelineFiles.find()
        let target = try ExportTarget(settings, container: try destination.container(), files: files)
        let file = try InputFile(input)
        let facts = try await onOwnThread("rushes-facts") { try InputFacts(file) }
        let planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        let job = ExportJob(
            input: input, settings: settings, destination: destination, thumbnail: nil, meter: ExportMeter())
        let attempt = ExportAttempt(
            job: job, file: file, planner: planner, output: try TemporaryOutput(for: destination))
        return try await attempt.pipeline().launchText
    }
}

extension ExportAttempt {
    func pipeline() async throws -> PipelineDescription {
        let choice = StreamChoice(target: planner.target, orientation: planner.facts.orientation)
        let reader = try makeReader(without: Setbacks())
        do {
            let plan = try await plan(reader, software: false)
            await reader.stop()
            return try plan.plan.standalone(reader, choice.filters, input: file.path, output: job.destination.path)
        } catch {
            await reader.stop()
            throw InputFailure.explain(error, reader, file)
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
            return decode + (track?.isCopied == true ? [] : [.make("decodebin")] + (try filters.nodes(kind)))
        }
        let description = try movie.standalone(
            video: movie.video == nil ? nil : head(.video), audio: movie.sound.isEmpty ? nil : head(.audio),
            path: output.string)
        return PipelineDescription([MediaReader.source(input.string)] + description.chains)
    }
}
