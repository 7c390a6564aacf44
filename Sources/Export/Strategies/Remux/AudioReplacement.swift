import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Frames that are copied beside audio that is encoded, where an edit list hides some that others need, or there are several video tracks: a
/// pipeline encodes the audio, and all else is copied by the index.
struct AudioReplacement: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner
    let file: InputFile
    /// What the encoded audio is put into meanwhile.
    private let between: Container
    /// Whether an edit list hides frames that others need.
    private let hidesFrames: Bool

    private var container: Container { planner.target.container }

    /// - Returns: nil where the work is another one.
    init?(_ context: ExportContext, _ planner: ExportPlanner) {
        let (target, properties) = (planner.target, context.properties)
        guard let file = context.input.file, let movie = properties.movie, let codec = target.audio,
            target.video == .copy, target.settings.range == nil, target.settings.stripsMetadata != true,
            !movie.audio.isEmpty, target.container.holdsVideo
        else { return nil }
        let videoTracks = movie.video.count { $0.frameCount > 0 }
        hidesFrames = properties.video?.hidesNeededFrames == true
        guard videoTracks > 1 || hidesFrames && videoTracks == 1 else { return nil }
        // Edits tell what primes a decoder, which Matroska's muxer does not.
        let movies: [Container] = target.container.isMovieFile ? [target.container] : [.mp4, .mov]
        guard let between = movies.first(where: { ContainerRules.allows(codec, in: $0) }) else { return nil }
        (self.context, self.planner, self.file, self.between) = (context, planner, file, between)
    }

    private struct Made: Sendable {
        var frames: Int?
        var videoTracks = 1
        /// How many of them are shown.
        var shownFrames: Int?
        var audioTracks: Int
        var duration: MediaTime
        /// By how much all is shown later than in the input.
        var delay: MediaTime = .zero
        var isWhole: Bool
        var notes: [String]
    }

    /// - Returns: nil where a pipeline has to carry the samples.
    func write() async throws -> WrittenMovie? {
        var audio = planner
        (audio.target.container, audio.target.takesVideo) = (between, false)
        let encoded = try await EncodingRun(context: context, planner: audio).runRetrying()
        context.status.report(.began(.init()))
        let made: Made
        do {
            made = try await onOwnThread("rushes-remux") { try combine() }
        } catch let error as MovieFileError where error.isRefusal {
            context.output.empty()
            return nil
        }
        var expected = OutputCheck.Expected(audioTracks: made.audioTracks, duration: made.duration)
        (expected.frames, expected.videoTracks) = (made.frames, made.videoTracks)
        (expected.areBytesCopied, expected.showsAllFrames) = (true, !container.isMovieFile)
        var written = WrittenMovie(
            expected: expected, shownFrames: made.shownFrames, size: try context.output.size(),
            notes: [
                hidesFrames
                    ? "The frames are copied by their index, as an edit list hides some of them."
                    : "All video tracks are copied by their index."
            ] + encoded.notes
                + MovieRemux.ending(made.isWhole, context.properties)
                + ExportPlanner.turned(context.properties.orientation, in: container)
                + made.notes,
            copiesFrames: true)
        written.subtitles = .init([.init(origin: 0, end: nil)], delay: made.delay.nanoseconds)
        written.carriesSubtitles = true
        return written
    }

    /// Puts all but the audio, and the encoded audio, into one file. Blocks.
    private func combine() throws -> Made {
        let (output, status) = (context.output, context.status)
        let places = TrackPlaces(audio: [], subtitles: planner.target.tracks.places.subtitles)
        let encoded = try MovieOriginal(try output.file().path, isOwn: true)
        var original = try MovieOriginal(FilePath(file.location), tracks: places)
        let type: MovieFileType = container.movieFileType
        var notes: [String] = []
        func mayContinue(_ written: UInt64) -> Bool {
            status.report(.copied(bytes: Int64(clamping: written), size: file.size))
            return status.mayContinue()
        }
        // One index is of one kind.
        var converted: UnnamedFile?
        if container.isMovieFile, original.isQuickTime != (type == .mov) {
            let storage = try UnnamedFile(forExportIn: context.destination.folder)
            let copy = try MovieCopy(of: original, options: .init(fileType: type))
            try copy.write(to: storage.descriptor, progress: mayContinue)
            notes = copy.omittedTracks.map(\.reason) + copy.omissions
            original = try MovieOriginal(storage.path, isOwn: true)
            converted = storage
        }
        defer { withExtendedLifetime(converted) {} }
        let joined = try JoinedOriginal(original, audioOf: encoded)
        guard container.isMovieFile else {
            let copy = try MatroskaCopy(of: joined, options: .init(isWebM: container == .webm))
            try output.replace { try copy.write(to: $1, progress: mayContinue) }
            return Made(
                frames: copy.frameCount, audioTracks: copy.audioTrackCount, duration: copy.duration,
                delay: copy.delay, isWhole: copy.isOriginalWhole,
                notes: copy.omittedTracks.map(\.reason) + copy.omissions)
        }
        let options = MovieCopy.Options(fileType: type, putsIndexFirst: planner.target.settings.fastStart)
        let copy = try MovieCopy(of: joined, options: options)
        try output.replace { try copy.write(to: $1, progress: mayContinue) }
        return Made(
            frames: copy.frameCount, videoTracks: copy.videoTrackCount, shownFrames: copy.shownFrameCount,
            audioTracks: copy.audioTrackCount, duration: copy.duration,
            isWhole: copy.isOriginalWhole, notes: notes + copy.omittedTracks.map(\.reason) + copy.omissions)
    }
}
