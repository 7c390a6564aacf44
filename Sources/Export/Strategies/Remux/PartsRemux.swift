import Encoding
import Errors
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Several parts of a movie, or one of Matroska, in QuickTime or MP4 where nothing is encoded: their samples are joined by the index, and
/// edits hide what the first frame and the first audio of each need.
struct PartsRemux: ExportStrategy {
    let context: ExportContext
    let target: ExportTarget
    let file: InputFile
    /// nil: the one part that the settings ask for.
    private let several: PartPlan?

    /// - Returns: nil where they are encoded, or are no parts.
    /// - Throws: ``RushesError`` where they cannot be copied.
    init?(_ context: ExportContext, _ planner: ExportPlanner) throws(RushesError) {
        let target = planner.target
        guard let input = context.input as? PartsInput, target.video == .copy || target.audio == nil else { return nil }
        guard let file = input.original, target.copiesMovie(context.properties) else {
            if let movie = context.properties.movie, movie.video.count(where: { $0.frameCount > 0 }) > 1 {
                throw RushesError(
                    .invalidSettings,
                    "Parts of a movie with several video tracks cannot be copied; choose another \(Term.preset).")
            }
            throw RushesError(
                .invalidSettings,
                "Several parts are copied from QuickTime, MP4 and Matroska only; choose another \(Term.preset).")
        }
        (self.context, self.target, self.file, several) = (context, target, file, input.plan)
    }

    /// One part of Matroska: of one of QuickTime or MP4 ``MovieRemux`` can encode the frames before its first key frame.
    ///
    /// - Returns: nil where the work is another one.
    init?(one context: ExportContext, _ planner: ExportPlanner) {
        let (target, properties) = (planner.target, context.properties)
        guard let file = context.input.file, properties.container == .matroska, target.settings.range != nil,
            target.container.isMovieFile, target.container.holdsVideo, target.copiesMovie(properties)
        else { return nil }
        (self.context, self.target, self.file, several) = (context, target, file, nil)
    }

    /// - Returns: nil where a pipeline has to carry the samples of one part.
    func write() async throws -> WrittenMovie? {
        if let several { return try await write(several, context.properties.chapters) }
        do {
            let plan = try await onOwnThread("rushes-parts") { try onePart() }
            return try await write(plan, plan.chapters(context.properties.chapters))
        } catch let error as MovieFileError where error.isRefusal {
            context.output.empty()
            return nil
        }
    }

    /// Blocks.
    private func onePart() throws(RushesError) -> PartPlan {
        let (properties, name) = (context.properties, context.input.displayName)
        let range = target.settings.range ?? TimeRange()
        // Where another file goes on it ends with a frame already.
        let grid = target.settings.isContinued == true ? nil : FrameGrid(file, properties)
        return try PartPlan([range], lasting: properties.duration, grid: grid, of: name)
    }

    private func write(_ plan: PartPlan, _ chapters: [MovieInfo.Chapter]) async throws -> WrittenMovie {
        let (status, output) = (context.status, context.output)
        let name = context.input.displayName
        let (path, tracks, options) = (FilePath(file.location), target.tracks.places, options)
        let parts = try ranges(plan)
        status.report(.began(.init()))
        let (joined, copy) = try await onOwnThread("rushes-remux") {
            let original = try MovieOriginal(path, tracks: tracks)
            if let type = options.fileType, try original.losesMedia(in: type) {
                throw RushesError(
                    .invalidSettings,
                    "\(type.displayName) cannot hold all video and audio of \(name) as it is; choose another \(Term.preset) or ending."
                )
            }
            let joined: JoinedOriginal
            do throws(MovieFileError) {
                joined = try JoinedOriginal(original, parts: parts, chapters: chapters)
            } catch .openGroup(let number) {
                throw refusal(ofPart: number, plan)
            }
            let copy = try MovieCopy(of: joined, options: options)
            try output.file().withDescriptor { target in
                try copy.write(to: target) { written in
                    status.report(.copied(bytes: Int64(clamping: written), size: Int64(clamping: copy.fileSize)))
                    return status.mayContinue()
                }
            }
            return (joined, copy)
        }
        var expected = OutputCheck.Expected(
            audioTracks: copy.audioTrackCount, duration: copy.duration)
        expected.frames = copy.frameCount
        // What the first frame of each part needs is in the file and not shown.
        (expected.areBytesCopied, expected.showsAllFrames) = (true, false)
        return WrittenMovie(
            expected: expected, shownFrames: copy.shownFrameCount, size: Int64(clamping: copy.fileSize),
            notes: [
                several == nil
                    ? "The part is copied as it is; an edit list hides what only its first frame and audio need."
                    : "All parts are copied as they are; an edit list hides what only their first frames and audio need."
            ]
                + MovieRemux.ending(copy.isOriginalWhole, context.properties) + joined.omissions
                + copy.omittedTracks.map(\.reason),
            subtitles: .init(spans(plan), delay: 0, tracks: target.tracks.places))
    }

    /// What is said of a part that cannot be copied behind another one, because of its first frames. Blocks.
    private func refusal(ofPart number: Int, _ plan: PartPlan) -> RushesError {
        let part = plan.parts[number - 1]
        let grid = FrameGrid(file, context.properties, findsKeyFrames: true)
        let near = grid?.closedKeyFrame(near: part.start).flatMap { time in
            // Farther away it would be another part.
            part.end.map { (time - part.start).length < $0 - part.start } == true ? time : nil
        }
        let offer = near.map { "let it begin at \($0.secondsToHundredths) s, or " } ?? ""
        return RushesError(
            .invalidSettings,
            "Part \(number) of \(context.input.displayName) cannot be copied behind another one, as its first frames need those before "
                + "them (an open group); \(offer)choose another \(Term.preset).")
    }

    private var options: MovieCopy.Options {
        .init(fileType: target.container == .mov ? .mov : .mp4, putsIndexFirst: target.settings.fastStart)
    }

    private func ranges(_ plan: PartPlan) throws(RushesError) -> [Range<MediaTime>] {
        var ranges: [Range<MediaTime>] = []
        for part in plan.parts {
            guard let end = part.end else {
                throw RushesError(
                    .invalidSettings,
                    "\(context.input.displayName) does not say how long it lasts; give each \(Term.part) an end.")
            }
            ranges.append(part.start..<end)
        }
        return ranges
    }

    private func spans(_ plan: PartPlan) -> [MovieSubtitles.Span] {
        plan.parts.map { part in
            .init(
                origin: part.start.nanoseconds, end: part.end.map(\.nanoseconds), begin: part.offset.nanoseconds)
        }
    }
}
