import Encoding
import Errors
import GStreamer
import MovieFiles

/// What an export is made of, opened once: a movie file; the place where images or a composition join it.
protocol ExportInput: Sendable {
    /// For people.
    var displayName: String { get }
    /// What it tells about itself.
    var properties: InputProperties { get }
    /// The movie file that it is, for those who copy its bytes; nil for what is none.
    var file: InputFile? { get }

    /// The movie file that it is made of, for subtitles and times; nil for what is made of several or none.
    var original: InputFile? { get }

    /// The files that are read for it, as they were opened.
    var readFiles: [InputFile] { get }

    /// The movies that it is made of one behind the other, for their subtitles.
    var joinedMovies: [MovieSubtitles.JoinedMovie] { get }

    /// Sentences about what was found out before it is read.
    var notes: [String] { get }

    /// Finds out what takes long, once the export is under way.
    ///
    /// - Throws: ``RushesError`` if it is not fit; `CancellationError`.
    func prepared(_ status: ExportStatus) async throws -> any ExportInput
    /// Begins to read it.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing.
    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource
    /// Begins to read its audio alone, to listen to it; nil where that is not what it is made of.
    ///
    /// - Throws: ``GStreamerError`` if an element is missing.
    func audioSource(
        for target: ExportTarget, mostChannels: Int?, without reasons: RetryReasons
    ) throws -> (any FrameSource)?
    /// Writes what was made of its frames beside the movie, which is complete. Blocks.
    ///
    /// - Returns: sentences about it.
    func writeImages() -> [String]
}

extension ExportInput {
    var notes: [String] { [] }
    var original: InputFile? { file }
    var readFiles: [InputFile] { [original].compactMap(\.self) }
    var joinedMovies: [MovieSubtitles.JoinedMovie] { [] }

    func prepared(_: ExportStatus) async throws -> any ExportInput { self }
    func audioSource(for _: ExportTarget, mostChannels _: Int?, without _: RetryReasons) throws -> (any FrameSource)? {
        nil
    }
    func writeImages() -> [String] { [] }
}

/// An input that is being read: tracks whose samples are pulled, at the speed at which they are written.
protocol FrameSource: Sendable {
    /// What there is to pull; known once it is open.
    var tracks: [MediaReader.Track] { get }
    /// The first thing that went wrong.
    var failure: GStreamerError? { get }
    /// How many frames have gone into others, none of which has come yet: a sign of life.
    var absorbedFrames: Int { get }
    /// What is being decoded, such as "video of video/x-h264", for the message of a stalled export.
    var decodedFormat: String { get }

    /// Starts reading and waits until all tracks are known.
    func open() async throws
    /// Wakes who waits for a sample, and stops reading.
    func stop() async

    /// Looks at what the first samples showed.
    ///
    /// - Throws: ``RushesError`` where nothing comes of what was asked for; ``RetryReason`` where it may only begin late.
    func check(_ opened: [OpenedTrack]) throws
    /// - Throws: ``RetryReason`` where more tracks have come than all that were known.
    func checkTracks() throws
    /// Sentences about what is not carried into a container.
    func omissions(in container: Container) -> [String]

    /// The time from which times that are asked for count; nil: from the first sample on.
    var timeOrigin: MediaTime? { get }
    /// By how much the first audio timestamp of a track's decoder precedes the true one.
    func delay(of track: MediaReader.Track) -> MediaTime
    /// Which of the file's own time became which of the movie's, where that is more than one part, in the movie's order.
    var spans: [MovieSubtitles.Span]? { get }
    /// The file's own time that the parts of ``spans`` count from; nil where there are none.
    var partsBegin: MediaTime? { get }
    /// Whether it tells where what can be decoded by itself lies, so that reading can begin near a time.
    var isIndexed: Bool { get }
    /// Goes to a time, or somewhat before it. False where that cannot be done.
    func seek(to time: MediaTime, _ place: SeekPlace) async -> Bool
    /// When the last frame up to a time is shown that decoding can begin with, both counted from the first sample; nil where its index
    /// alone leads there.
    func keyFrame(upTo time: MediaTime) async -> MediaTime?

    /// What the output has to hold after so much was delivered of it.
    func expectation(_ delivered: Delivered) -> OutputCheck.Expected
    /// Sentences about what the source has and what was not delivered. May block, to look for that.
    func losses(_ delivered: Delivered) -> [String]
    /// What went wrong, in words about the input, or the reason to begin again.
    func explained(_ error: any Error, _ status: ExportStatus) -> any Error

    /// What can be done where nothing came of it; nil where there is no other way.
    func lastResort(_ status: ExportStatus) async -> RetryReason?
    /// What can be done where a part of it did not come; nil where there is no other way.
    func completion(_ opened: [OpenedTrack], _ status: ExportStatus) async -> RetryReason?

    /// How a pipeline of its own would read it, for printing.
    var printedSource: [PipelineDescription.Node] { get }
    /// The same for what leads to a track, up to where Swift takes over.
    func printedNodes(_ kind: SourceStream.Kind) throws -> [PipelineDescription.Node]
}

extension FrameSource {
    var absorbedFrames: Int { 0 }
    func keyFrame(upTo _: MediaTime) async -> MediaTime? { nil }
    var spans: [MovieSubtitles.Span]? { nil }
    var partsBegin: MediaTime? { nil }
    func lastResort(_: ExportStatus) async -> RetryReason? { nil }
    func completion(_: [OpenedTrack], _: ExportStatus) async -> RetryReason? { nil }
    var hasVideo: Bool { tracks.contains { $0.stream.kind == .video } }

    /// Hands the source to `body`, and stops it.
    ///
    /// - Throws: ``RetryReason`` where another try can do without what failed; else what `body` throws, in words about the input.
    func reading<Result: Sendable>(
        _ status: ExportStatus, _ body: (any FrameSource) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(self)
            await stop()
            return result
        } catch {
            await stop()
            let isReading = error is GStreamerError || [.badInput, .stalled].contains((error as? RushesError)?.code)
            if isReading, let reason = await lastResort(status) { throw reason }
            throw explained(error, status)
        }
    }
}
