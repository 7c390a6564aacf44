import Errors
import GStreamer
import MediaTypes
import MovieFiles

/// Parts of a movie file, joined, as what an export is made of.
struct PartsInput: ExportInput {
    private let movie: MovieInput
    let plan: PartPlan
    let properties: InputProperties

    /// Looks for the frames that the parts begin and end with. Blocks.
    ///
    /// - Throws: ``RushesError`` for a part that the movie does not have.
    init(_ movie: MovieInput, _ ranges: [TimeRange]) throws(RushesError) {
        var properties = movie.properties
        for range in ranges { try properties.check(range, movie.path, .part) }
        let grid = movie.file.flatMap { FrameGrid($0, properties) }
        // What others say of their length is a guess.
        let length = properties.isIndexed || properties.movie != nil ? properties.duration : nil
        plan = try PartPlan(ranges, lasting: length, grid: grid, of: movie.displayName)
        properties.duration = plan.duration
        properties.chapters = plan.chapters(properties.chapters)
        properties.timeCode = properties.timeCode?.advanced(by: plan.parts[0].start)
        (self.movie, self.properties) = (movie, properties)
    }

    var displayName: String { movie.displayName }
    /// Of the whole movie.
    var inputDuration: MediaTime? { movie.properties.duration }
    /// None whose bytes are copied as a whole.
    var file: InputFile? { nil }
    var original: InputFile? { movie.file }
    var notes: [String] {
        movie.notes
            + (properties.timeCode == nil
                ? [] : ["The time code is the first part's, and continues from there without a gap."])
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        source(StreamChoice(target: target, properties: movie.properties), without: reasons)
    }

    func audioSource(
        for target: ExportTarget, mostChannels: Int?, without reasons: RetryReasons
    ) throws -> (any FrameSource)? {
        var choice = StreamChoice(target: target, properties: movie.properties)
        (choice.listens, choice.mostChannels) = (true, mostChannels)
        return source(choice, without: reasons)
    }

    private func source(_ choice: StreamChoice, without reasons: RetryReasons) -> PartsSource {
        PartsSource(plan, of: movie.displayName, seeks: movie.properties.isSeekable && !reasons.contains(.seeking)) {
            [movie] in
            try movie.source(choice, without: reasons)
        }
    }
}
