import Encoding
import Errors
import GStreamer
import MediaTypes
import SystemPackage

/// A video that is being read for a timelapse.
struct TimelapseSource: FrameSource {
    let file: InputFile
    let properties: InputProperties
    let filters: MediaReader.Filters
    let reader: MediaReader
    /// A sentence on what is decoded.
    let summary: String?
    /// How many frames have been chosen; nil where nobody counts before.
    let expectedFrames: Int?

    var tracks: [MediaReader.Track] { reader.tracks }
    var failure: GStreamerError? { reader.failure }
    var decoderName: String { reader.decoderName }
    var isIndexed: Bool { false }
    var timeOrigin: MediaTime? { nil }

    func open() async throws { try await reader.open(within: properties.timeout) }
    func stop() async { await reader.stop() }
    func delay(of track: MediaReader.Track) -> MediaTime { .zero }
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool { false }

    func check(_ opened: [OpenedTrack]) throws {
        guard opened.video == nil else { return }
        throw RushesError(
            .badInput, "\(file.path.displayName) has no video that can be decoded here; a timelapse is made of frames.")
    }

    func checkTracks() throws(RetryReason) {}
    func omissions(in container: Container) -> [String] { [] }

    func losses(_ delivered: Delivered) -> [String] {
        var notes = [summary].compactMap(\.self)
        if let expectedFrames, let frames = delivered.run.frames, frames < expectedFrames {
            notes.append("\(expectedFrames - frames) of \(expectedFrames) frames could not be decoded.")
        }
        return notes
    }

    func explained(_ error: any Error, _ status: ExportStatus) -> any Error {
        RetryReason(readingFailed: error, reader, status) ?? InputFailure.explain(error, reader, file)
    }

    var printedSource: [PipelineDescription.Node] {
        MediaReader.source(file.path.string, caps: properties.container.caps)
    }

    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node] {
        [.pad(of: "streams", template: ""), .make("queue"), .make("decodebin")] + (try filters.nodes(kind))
            + reader.colourNodes
    }
}
