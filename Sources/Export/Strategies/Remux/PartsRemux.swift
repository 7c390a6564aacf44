import Encoding
import Errors
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Several parts of a movie, or one of Matroska, in QuickTime or MP4 where nothing is encoded: their samples are joined by the index, and
/// edits hide what the first frame and the first audio of each need. One of several video tracks in Matroska, too, which then begin with key
/// frames.
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
            throw RushesError(
                .invalidSettings,
                "Several parts are copied from QuickTime, MP4 and Matroska only; choose another \(Term.preset).")
        }
        (self.context, self.target, self.file, several) = (context, target, file, input.plan)
    }

    /// One part of Matroska, of one of QuickTime or MP4 ``MovieRemux`` can encode the frames before its first key frame; or one in Matroska, of
    /// which a pipeline carries one video track.
    ///
    /// - Returns: nil where the work is another one.
    init?(one context: ExportContext, _ planner: ExportPlanner) {
        let (target, properties) = (planner.target, context.properties)
        guard let file = context.input.file, target.settings.range != nil, target.container.holdsVideo,
            target.copiesMovie(properties),
            target.container.isMovieFile
                ? properties.container == .matroska
                : target.container.isMatroska && Self.hasSeveralVideoTracks(file, properties)
        else { return nil }
        (self.context, self.target, self.file, several) = (context, target, file, nil)
    }

    private static func hasSeveralVideoTracks(_ file: InputFile, _ properties: InputProperties) -> Bool {
        let count = properties.movie?.video.count { $0.frameCount > 0 }
        return count ?? MatroskaTracks.videoCount(in: FilePath(file.location)) > 1
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
        let (container, parts) = (target.container, try ranges(plan))
        status.report(.began(.init()))
        let (joined, made) = try await onOwnThread("rushes-remux") {
            let original = try MovieOriginal(path, tracks: tracks)
            func mayContinue(_ written: UInt64, of size: UInt64) -> Bool {
                status.report(.copied(bytes: Int64(clamping: written), size: Int64(clamping: size)))
                return status.mayContinue()
            }
            if container.isMatroska {
                let joined = try JoinedOriginal(original, parts: parts, chapters: chapters)
                let copy = try MatroskaCopy(of: joined, options: .init(isWebM: container == .webm))
                try output.file().withDescriptor { file in
                    try copy.write(to: file) { mayContinue($0, of: copy.fileSize) }
                }
                return (joined, Made(copy))
            }
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
            try output.file().withDescriptor { file in
                try copy.write(to: file) { mayContinue($0, of: copy.fileSize) }
            }
            return (joined, Made(copy))
        }
        return WrittenMovie(
            expected: made.expected, shownFrames: made.shownFrames, size: made.size,
            notes: [
                container.isMatroska
                    ? "The part is copied as it is."
                    : several == nil
                        ? "The part is copied as it is; an edit list hides what only its first frame and audio need."
                        : "All parts are copied as they are; an edit list hides what only their first frames and audio need."
            ]
                + MovieRemux.ending(made.isWhole, context.properties) + joined.omissions + made.notes,
            subtitles: .init(spans(plan), delay: made.delay.nanoseconds, tracks: target.tracks.places))
    }

    /// What was written.
    private struct Made: Sendable {
        var expected: OutputCheck.Expected
        var shownFrames: Int?
        /// Bytes.
        var size: Int64
        /// By how much all is shown later than in the part.
        var delay = MediaTime.zero
        var isWhole: Bool
        var notes: [String]

        init(_ copy: MovieCopy) {
            expected = .init(frames: copy.frameCount, audioTracks: copy.audioTrackCount, duration: copy.duration)
            expected.videoTracks = copy.videoTrackCount
            // What the first frame of each part needs is in the file and not shown.
            (expected.areBytesCopied, expected.showsAllFrames) = (true, false)
            (shownFrames, size) = (copy.shownFrameCount, Int64(clamping: copy.fileSize))
            (isWhole, notes) = (copy.isOriginalWhole, copy.omittedTracks.map(\.reason))
        }

        init(_ copy: MatroskaCopy) {
            expected = .init(frames: copy.frameCount, audioTracks: copy.audioTrackCount, duration: copy.duration)
            (expected.areBytesCopied, expected.showsAllFrames) = (true, false)
            (size, delay) = (Int64(clamping: copy.fileSize), copy.delay)
            (isWhole, notes) = (copy.isOriginalWhole, copy.omittedTracks.map(\.reason) + copy.omissions)
        }
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
            "Part \(number) of \(context.input.displayName) cannot be copied after another one, as its first frames need those before "
                + "them (an open group); \(offer)choose another \(Term.preset).")
    }

    private var options: MovieCopy.Options {
        .init(fileType: target.container.movieFileType, putsIndexFirst: target.settings.fastStart)
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
