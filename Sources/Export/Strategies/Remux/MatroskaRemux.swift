import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// QuickTime, MP4 and Matroska to Matroska and WebM where nothing is encoded and all of the movie is taken: by bytes, as
/// ``MovieRemux``.
struct MatroskaRemux: ExportStrategy {
    let context: ExportContext
    let file: InputFile
    let container: Container
    /// Which of the input's tracks are taken.
    let tracks: TrackPlaces
    /// How the input's frame is to be turned.
    let orientation: MovieOrientation

    /// - Returns: `nil` where the work is more than that.
    init?(_ context: ExportContext, _ planner: ExportPlanner) {
        let (target, properties) = (planner.target, context.properties)
        guard let file = context.input.file, target.container == .mkv || target.container == .webm,
            target.copiesMovie(properties) || target.keepsTransparency(of: file, properties),
            target.settings.range == nil
        else { return nil }
        (self.context, self.file, container) = (context, file, target.container)
        (tracks, orientation) = (target.tracks.places, properties.orientation)
    }

    /// - Returns: nil where a pipeline has to carry the samples.
    func write() async throws -> WrittenMovie? {
        let (file, output, status) = (file, context.output, context.status)
        status.report(.began(.init()))
        let options = MatroskaCopy.Options(isWebM: container == .webm, tracks: tracks)
        let copy: MatroskaCopy? = try await onOwnThread("rushes-remux") {
            do {
                return try MatroskaCopy.copy(FilePath(file.location), to: try output.file(), options: options) {
                    written in
                    status.report(.copied(bytes: Int64(clamping: written), size: file.size))
                    return status.mayContinue()
                }
            } catch let error as MovieFileError where error.isRefusal {
                return nil
            }
        }
        guard let copy else { return nil }
        let timeCode = context.properties.timeCode
        var expected = OutputCheck.Expected(
            audioTracks: copy.audioTrackCount, duration: copy.duration)
        expected.frames = copy.frameCount
        expected.areBytesCopied = true
        var written = WrittenMovie(
            expected: expected, size: Int64(clamping: copy.fileSize),
            notes: [MovieRemux.copied(omitting: copy.omittedTracks) + " are copied as they are."]
                + MovieRemux.ending(copy.isOriginalWhole, context.properties)
                + ExportPlanner.turned(orientation, in: container)
                // Of QuickTime and MP4 a box of its own (`lhvC`) describes the layer.
                + (context.properties.hasAlphaLayer && context.properties.movie != nil
                    ? [InputProperties.lostAlphaLayer] : [])
                + copy.omittedTracks.filter { $0.handler != "tmcd" || timeCode == nil }.map(\.reason) + copy.omissions)
        (written.isTold, written.timeCode) = (true, timeCode)
        written.subtitles = .init([.init(origin: 0, end: nil)], delay: copy.delay.nanoseconds)
        written.carriesSubtitles = true
        return written
    }

    /// Whether the samples can be copied without a pipeline.
    func isPossible() async throws -> Bool {
        let file = file
        let options = MatroskaCopy.Options(isWebM: container == .webm, tracks: tracks)
        return try await onOwnThread("rushes-index") {
            do {
                let opened = try FileDescriptor.open(FilePath(file.location), .readOnly, options: .closeOnExec)
                defer { try? opened.close() }
                _ = try MatroskaCopy(of: opened, options: options)
                return true
            } catch let error as MovieFileError where error.isRefusal {
                return false
            }
        }
    }
}

extension ExportTarget {
    /// Whether all is of the codecs that are asked for, and frames say beside them how opaque they are, which a pipeline does not carry.
    fileprivate func keepsTransparency(of file: InputFile, _ properties: InputProperties) -> Bool {
        guard properties.container == .matroska, video != .copy, settings.audioDelay == nil, settings.channels == nil,
            settings.stripsMetadata != true, let tracks = TransparentTracks(reading: FilePath(file.location)),
            tracks.video == CodecIdentifiers.vp9.name,
            tracks.audio.allSatisfy({ $0 == CodecIdentifiers.opus.name })
        else { return false }
        let choice = StreamChoice(target: self, properties: properties)
        func isKept(_ kind: SourceStream.Kind, _ index: Int, _ codec: CodecIdentifiers) -> Bool {
            let stream = SourceStream(kind: kind, index: index, caps: Caps(codec.mediaType ?? "", [:]))
            return choice.disposition(stream) != .decode
        }
        return takesVideo && isKept(.video, 0, .vp9) && tracks.audio.indices.allSatisfy { isKept(.audio, $0, .opus) }
    }

    /// Whether the whole of the movie's tracks is copied, and nothing done to any.
    func copiesMovie(_ properties: InputProperties) -> Bool {
        let isKnown = properties.movie != nil || properties.container == .matroska
        // Where there is no audio none is encoded.
        let copiesAudio = copiesAudio || properties.movie?.audio.isEmpty == true
        return isKnown && video == .copy && copiesAudio && settings.channels == nil && settings.rotation == .keep
            && settings.audioDelay == nil && settings.stripsMetadata != true && settings.size == nil
            && settings.scale == nil && settings.crop == nil
            && settings.rate == nil
    }
}
