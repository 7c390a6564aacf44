import Encoding
import Errors
import FileSystem
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// QuickTime to MP4 and back, and Matroska to either, where nothing is encoded but the edge of a part: the index is written
/// anew, the samples are copied as bytes, which is exact where a demuxer and a muxer are not: edit lists, priming, all kinds of
/// tracks.
struct MovieRemux: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    let file: InputFile

    var target: ExportTarget { planner.target }
    var properties: InputProperties { context.properties }

    /// - Returns: `nil` where the work is more than that.
    init?(_ context: ExportContext, _ planner: ExportPlanner) {
        let (target, properties) = (planner.target, context.properties)
        guard let file = context.input.file, target.container.isMovieFile, target.container.holdsVideo,
            target.copiesMovie(properties)
        else {
            return nil
        }
        // A part of Matroska is another's work.
        guard properties.movie != nil || target.settings.range == nil else { return nil }
        (self.context, self.planner, self.file) = (context, planner, file)
    }

    /// The input as it is read once, and what its copy would be.
    struct Opened: Sendable {
        var original: MovieOriginal
        var options: MovieCopy.Options
        var copy: MovieCopy
    }

    /// Copies the samples; of a part that lies between two key frames, has its frames encoded.
    func write() async throws -> WrittenMovie? {
        guard let opened = try await open() else { return nil }
        guard let anew = settingsInsideGroup(opened) else { return try await copy(opened) }
        do {
            let written = try await EncodingRun(context: context, planner: try planner.planning(anew)).runRetrying()
            context.log.note("The part lies between two key frames, so its frames are encoded again.")
            return written
        } catch let error as RushesError where Self.leavesAnEdit(error) {
            // Without an encoder, and at the movie's end, where no frame begins any more, an edit shows what there is.
            if error.code == .encoderMissing { context.log.note("\(error).") }
            context.output.empty()
            return try await copy(opened)
        }
    }

    /// - Returns: nil where a pipeline has to carry the samples: of Matroska not everything lies in the file as a movie holds it, and not all
    ///   video and audio can be in either kind of movie as it is.
    /// - Throws: `MovieFileError`; ``RushesError`` for a part behind the movie's end.
    func open() async throws -> Opened? {
        let (options, path, tracks) = (try copyOptions(), FilePath(file.location), target.tracks.places)
        do {
            return try await onOwnThread("rushes-index") {
                let original = try MovieOriginal(path, tracks: tracks)
                // A pipeline may carry it in another form, or says what to do.
                if let type = options.fileType, try original.losesMedia(in: type) { return nil }
                return Opened(
                    original: original, options: options, copy: try MovieCopy(of: original, options: options))
            }
        } catch let error as MovieFileError where properties.movie == nil && error.isRefusal {
            return nil
        }
    }

    /// What is said of the frames before the first one that is copied.
    private static func edge(
        _ copy: MovieCopy, _ options: MovieCopy.Options, _ encoded: EncodedBeginning?
    ) -> [String] {
        if encoded != nil, let start = options.timeRange?.lowerBound, let end = copy.beginning?.timeRange.upperBound {
            let seconds = (end - start).secondsToHundredths
            return ["The \(seconds) s before the first key frame of the part are encoded again; the rest is copied."]
        }
        guard let start = options.timeRange?.lowerBound, start - copy.firstFrameTime > .millisecond else { return [] }
        let seconds = (start - copy.firstFrameTime).secondsToHundredths
        return [
            "The \(seconds) s before the part that its first frame needs are in the file, and an edit list hides them: "
                + "nothing is encoded again."
        ]
    }

    /// Whether an edit shows what an encoder could not: nothing is installed that encodes it, or no frame begins in it.
    private static func leavesAnEdit(_ error: RushesError) -> Bool {
        let codes: [RushesError.Code] = [
            .encoderMissing, .noPipelineFiles, .invalidSettings, .nothingRecorded, .notWritable, .writeFailed,
        ]
        return codes.contains(error.code)
    }

    /// "All tracks", or "All other tracks" beside sentences about ones that are left out.
    static func copied(omitting omitted: [OmittedTrack]) -> String {
        omitted.isEmpty ? "All tracks" : "All other tracks"
    }

    /// What is said of an input that was cut off, or lists samples that it does not have.
    static func ending(_ isOriginalWhole: Bool, _ properties: InputProperties) -> [String] {
        (isOriginalWhole || properties.bytes.isCutOff ? [] : ["The input ends early; what is intact is copied."])
            + [properties.unplacedSamples].compactMap(\.self)
    }

    /// What is copied.
    private func copyOptions() throws(RushesError) -> MovieCopy.Options {
        var options = MovieCopy.Options(
            fileType: target.container.movieFileType, putsIndexFirst: target.settings.fastStart)
        if let range = target.settings.range {
            let end = range.end ?? properties.duration ?? .zero
            guard end > range.start else { throw properties.endsBefore(range, file.path) }
            options.timeRange = range.start..<end
        }
        return options
    }

    private func copy(_ opened: Opened) async throws -> WrittenMovie {
        let (status, output) = (context.status, context.output)
        status.report(.began(.init()))
        let edge = try await encodeEdge(opened)
        status.report(.began(.init()))
        // The file that the encoded frames lie in goes with it.
        defer { withExtendedLifetime(edge) {} }
        let encoded = edge?.beginning
        let size = file.size
        let copy = try await onOwnThread("rushes-remux") {
            let copy =
                try encoded.map { try MovieCopy(of: opened.original, options: opened.options, beginningWith: $0) }
                ?? opened.copy
            try output.file().withDescriptor { target in
                try copy.write(to: target) { written in
                    status.report(.copied(bytes: Int64(clamping: written), size: size))
                    return status.mayContinue()
                }
                if opened.options.timeRange != nil { try MovieEditing.settleTimeCode(of: target) }
            }
            return copy
        }
        var expected = OutputCheck.Expected(
            audioTracks: copy.audioTrackCount, duration: copy.duration)
        (expected.frames, expected.videoTracks) = (copy.frameCount, copy.videoTrackCount)
        // Of a part, the frames that the first one needs are in the file and not shown.
        expected.areBytesCopied = true
        expected.showsAllFrames = opened.options.timeRange == nil && properties.video?.hidesNeededFrames != true
        for note in Self.ending(copy.isOriginalWhole, properties) { context.log.note(note) }
        var written = WrittenMovie(
            expected: expected, shownFrames: copy.shownFrameCount, size: Int64(clamping: copy.fileSize),
            notes: [
                Self.copied(omitting: copy.omittedTracks)
                    + (encoded == nil ? " are copied as they are." : " are copied.")
            ]
                + Self.edge(copy, opened.options, encoded) + copy.omittedTracks.map(\.reason)
                + copy.omissions
                + copy.omittedChapterNotes)
        let range = opened.options.timeRange
        written.subtitles = .init(
            [.init(origin: range?.lowerBound.nanoseconds ?? 0, end: range?.upperBound.nanoseconds)], delay: 0)
        written.carriesSubtitles = true
        return written
    }
}

extension MovieFileError {
    /// Whether it says that samples or their times cannot stay as they are in the other kind of file; nothing is written then.
    var isRefusal: Bool {
        switch self {
        case .unsupported, .invalidBox, .noSamples, .encrypted: true
        default: false
        }
    }
}
