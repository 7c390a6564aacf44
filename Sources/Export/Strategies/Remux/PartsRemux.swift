import Encoding
import Errors
import FileSystem
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Several parts of a movie in QuickTime or MP4 where nothing is encoded: their samples are joined by the index, and edits hide
/// what the first frame and the first audio of each need.
struct PartsRemux: ExportStrategy {
    let context: ExportContext
    let target: ExportTarget
    let file: InputFile
    let plan: PartPlan

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
        (self.context, self.target, self.file, plan) = (context, target, file, input.plan)
    }

    func write() async throws -> WrittenMovie? {
        let (status, output) = (context.status, context.output)
        let (path, tracks, options) = (FilePath(file.location), target.tracks.places, options)
        let (parts, chapters) = (try ranges(), context.properties.chapters)
        status.report(.began(.init()))
        let (joined, copy) = try await onOwnThread("rushes-remux") {
            let original = try MovieOriginal(path, tracks: tracks)
            let joined = try JoinedOriginal(original, parts: parts, chapters: chapters)
            let copy = try MovieCopy(of: joined, options: options)
            try output.file().withDescriptor { target in
                try copy.write(to: target) { written in
                    status.report(.copied(bytes: Int64(clamping: written), size: Int64(clamping: copy.fileSize)))
                    return status.mayContinue()
                }
            }
            return (joined, copy)
        }
        let written = try output.file().path
        let info = try await onOwnThread("rushes-input") { try MovieInfo(contentsOf: written) }
        var expected = OutputCheck.Expected(audioTracks: info.audio.count, duration: .init(seconds: copy.duration))
        expected.frames = info.video.first?.frameCount
        // What the first frame of each part needs is in the file and not shown.
        (expected.areBytesCopied, expected.showsAllFrames) = (true, false)
        return WrittenMovie(
            expected: expected, size: Int64(clamping: copy.fileSize),
            notes: ["All parts are copied as they are; an edit list hides what only their first frames and audio need."]
                + MovieRemux.ending(copy.isOriginalWhole) + joined.omissions + copy.omittedTracks.map(\.reason),
            subtitles: .init(spans, delay: 0, tracks: target.tracks.places))
    }

    private var options: MovieCopy.Options {
        .init(fileType: target.container == .mov ? .mov : .mp4, putsIndexFirst: target.settings.fastStart)
    }

    private func ranges() throws(RushesError) -> [Range<MediaTime>] {
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

    private var spans: [MovieSubtitles.Span] {
        plan.parts.map { part in
            .init(
                origin: part.start.nanoseconds, end: part.end.map(\.nanoseconds), begin: part.offset.nanoseconds)
        }
    }
}
