import Errors
import FileSystem
import GStreamer
import MediaDecoding
import MediaTypes
import MovieFiles
import SystemPackage

/// What a file tells about itself beside its streams.
struct InputProperties: Sendable {
    /// `nil` where only reading it tells.
    var duration: MediaTime?
    /// How much of that is only assumed, as nothing says how long the last frame is shown.
    var assumedLength = MediaTime.zero
    var metadata = MovieMetadata()
    var chapters: [MovieInfo.Chapter] = []
    var orientation = MovieOrientation.upright
    /// How long its streams may take to be found once more.
    var timeout = Duration.seconds(20)
    /// QuickTime and MP4 only.
    var movie: MovieInfo?
    var container = InputContainer.movie
    /// A GIF's frames; nil of any other file.
    var gif: GIFIndex?
    /// Its audio, where GStreamer does not read that as it is; nil of any other file.
    var rewrapped: RewrappedAudio?
    /// Its video and audio, where GStreamer does not read or decode them; nil of any other file.
    var decoded: DecodedMedia?
    /// Whether it is audio whose times are those of packets, as of Windows Media, and not of its samples.
    var hasPacketTimes = false
    /// What libavformat tells of it where GStreamer reads it and tells less; nil of most files.
    var description: DecodedMedia?
    /// An index of its own, where a demuxer cannot do with the file's; nil of any other.
    var reindexed: ReindexedMovie?
    /// When the frames of ProRes in Matroska are shown; nil of any other file.
    var frameTimes: ProResFrameTimes?
    /// Whether what its demuxer takes for video is the cover.
    var hasCoverForVideo = false
    /// Whether all that it has of video are images of its chapters, as podcasts have them.
    var hasChapterImages = false
    /// Whether it has a list of chapters beside the one that is read, as podcasts have their links.
    var hasFurtherChapters = false
    /// Whether its frames are called transparent, and nothing says how opaque they are.
    var lacksTransparency = false
    /// Whether its frames have a layer that says how opaque they are, which nothing here decodes.
    var hasAlphaLayer = false
    /// Whether it is a program stream that does not say when its frames are shown.
    var lacksTimes = false
    /// The time code of its first frame, where its index has a track of them.
    var timeCode: TimeCode?
    /// What its frames are beside size and colors; nil of plain ones.
    var frames: ToldFrames?
    /// Whether the frames come as the file has them, and not drawn into others or moved over.
    var keepsFrames = true
    /// Of AVI and of bare streams; nil of any file that says when its frames are shown.
    var frameOrder: FrameOrder?
    /// How it describes its frames, of AVI.
    var bitmapHeader: BitmapHeader?
    /// Whether it brings fonts or other files beside a cover, as Matroska does.
    var hasAttachments = false
    /// In words, what it says of itself that no output has a place for here.
    var unkept: [String] = []
    /// What the heads of its packets tell; nil of what is no transport stream.
    var transport: TransportScan?
    /// What the tracks of a Matroska file tell about themselves, by the end of their streams' identifiers.
    var tracks: [String: TrackAttributes] = [:]
    /// What its index names.
    var declared: [DeclaredStream] = []
    /// What a walk through its bytes tells.
    var bytes = InputBytes()

    /// Whether the file tells where what can be decoded by itself lies. Others are found by guessing, and the times of
    /// what is found there are guessed too.
    var isIndexed: Bool { movie.map { !$0.fragmented } ?? (container == .matroska) }

    /// Whether reading can begin anywhere: what is known of frames by their places alone, or at other times than its own, is read from the
    /// beginning.
    var isSeekable: Bool { isIndexed && frameTimes == nil && decoded == nil && bytes.delay == nil }

    /// Whether subtitles are read from its index, and not from what a demuxer gives.
    var hasOwnSubtitles: Bool { container == .movie || container == .matroska }

    /// Whether its frames use the full range of values, where its index says so; a JPEG's decoder knows it by itself.
    var isFullRange: Bool? {
        guard let frame = movie?.video.first, frame.codec != "mjpeg" else { return nil }
        return frame.range.map { $0 == "full" }
    }

    /// The first video track, where an index names it.
    var video: DeclaredStream? { declared.first { $0.kind == .video } }

    /// How wide a pixel of the first video track is for its height, where its index says so.
    var pixelAspect: Fraction? { frames?.pixelAspect ?? video?.pixelAspect }
    /// What the index tells of the frames' colors.
    var indexColor: ColorInformation? {
        let own = movie?.video.first.map { video in
            ColorInformation(
                primaries: video.colorPrimaries, transfer: video.transfer, matrix: video.matrix, isFullRange: nil)
        }
        return own ?? description?.video.first?.color
    }

    /// Reads a QuickTime or MP4 file's index, and asks GStreamer about any other. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is not media or not whole.
    init(_ file: InputFile) throws(RushesError) {
        let name = file.path.displayName
        do {
            read(try MovieInfo(reading: FilePath(file.location)))
            metadata = try MovieMetadata.read(FilePath(file.location))
            timeCode = try? TimeCode.first(in: FilePath(file.location))
            let location = FilePath(file.location)
            reindexed =
                movie?.complete == false ? try ReindexedMovie(cutOff: location) : try? ReindexedMovie(reading: location)
            // GStreamer (1.22) takes MPEG-4 ALS for AAC.
            let isMisread = movie?.audio.contains { $0.codec == "mp4als" } == true || StartCodes.areFound(in: location)
            if isMisread, let media = DecodedMedia(file, self) { take(media) }
        } catch MovieFileError.notAMovie {
            container = InputContainer(file.location)
            if container.isTransport { transport = TransportScan(file.location) }
            frameOrder = FrameOrder(file.location, container)
            if container == .avi { bitmapHeader = try? BitmapHeader(readingAVI: FilePath(file.location)) }
            timeCode = TimeCode.first(inRawDV: FilePath(file.location))
            rewrapped = (try? RewrappedAudio(reading: FilePath(file.location))) ?? nil
            if let tags = RealTags.read(FilePath(file.location)) { metadata.fill(from: tags) }
            if container == .gif {
                try readGIF(file)
            } else if case .companded(let audio) = rewrapped {
                duration = audio.duration
                let tags = (try? AIFFTags(reading: FilePath(file.location))) ?? nil
                (metadata, unkept) = (tags?.metadata ?? metadata, tags?.unkept ?? [])
            } else if let audio = (try? MusepackFile(reading: FilePath(file.location))) ?? nil {
                (duration, metadata) = (audio.duration, audio.metadata)
                unkept = audio.tag?.unkept ?? []
            } else {
                try discover(file)
            }
        } catch MovieFileError.encrypted {
            throw RushesError(.badInput, "\(name) is encrypted; it can be exported only by whoever has its key.")
        } catch MovieFileError.unsupported(let reason) {
            guard let media = DecodedMedia(file, self) else {
                throw RushesError(.badInput, "\(name) cannot be read: \(reason).")
            }
            take(media)
        } catch MovieFileError.damaged(let reason) {
            throw RushesError(.badInput, "\(name) cannot be read: \(reason).")
        } catch {
            throw RushesError(.badInput, "\(name) is damaged: \(error)")
        }
        if movie != nil, (try? ReferenceMovie.isOne(FilePath(file.location))) == true {
            throw RushesError(.badInput, "\(name) \(ReferenceMovie.refusal).")
        }
        if hasOwnSubtitles { frames = (try? ToldFrames(reading: FilePath(file.location))) ?? nil }
        let tracks = movie == nil ? [] : (try? ListedTrack.all(in: FilePath(file.location))) ?? []
        if let movie {
            let chapters = tracks.filter(\.isChapters)
            hasChapterImages = movie.video.isEmpty && chapters.contains { $0.handler == "vide" }
            hasFurtherChapters = chapters.count { $0.handler != "vide" } > 1
        }
        if container == .matroska { frameTimes = (try? ProResFrameTimes(reading: FilePath(file.location))) ?? nil }
        hasAlphaLayer =
            movie?.video.first?.codec == "hevc" || container == .matroska
            ? AlphaLayer.isFound(in: FilePath(file.location), isMatroska: container == .matroska) : false
        guard decoded == nil else { return }
        declared = DeclaredStream.all(in: file, self, tracks)
        bytes = InputBytes(file, container, movie)
        hasPacketTimes = container == .other && WindowsMediaAudio.isAlone(in: FilePath(file.location))
        if let delay = bytes.delay {
            duration = duration.map { $0 + delay }
            chapters = chapters.map { MovieInfo.Chapter(start: $0.start + delay, title: $0.title) }
        }
        if bytes.isCutOff, FileWriters.isStillWritten(file.path) == true {
            throw RushesError(.badInput, "\(name) is still being written; wait until that has finished.")
        }
        let media = declared.filter { $0.kind == .video || $0.kind == .audio }
        // Without its frames nobody wants the rest.
        if media.contains(where: { $0.codec == "encv" }) || (!media.isEmpty && media.allSatisfy { $0.codec == "enca" })
        {
            throw RushesError(.badInput, "\(name) is encrypted; it can be exported only by whoever has its key.")
        }
    }

    private mutating func read(_ movie: MovieInfo) {
        self.movie = movie
        duration = min(movie.duration, .longest)
        chapters = movie.chapters
        if let frame = movie.video.first {
            orientation =
                MovieOrientation(degrees: frame.rotation, isMirrored: frame.mirrored) ?? .upright
        }
    }

    private mutating func readGIF(_ file: InputFile) throws(RushesError) {
        do throws(MovieFileError) {
            var gif = try GIFIndex(reading: FilePath(file.location))
            // H.264's and HEVC's parsers (1.22) give each frame the length of a rate, the last one too.
            gif.limitLastFrame(to: 40 * .millisecond)
            (self.gif, duration, metadata.comment) = (gif, gif.duration, gif.comment)
        } catch {
            throw RushesError(error, on: file.path)
        }
    }
}

extension InputProperties {
    /// Of what is no file.
    init(duration: MediaTime) { self.duration = duration }

    /// - Parameter setting: what the part was asked for with.
    /// - Throws: ``RushesError`` where the file ends before a part of it begins, as far as it tells.
    func check(_ range: TimeRange?, _ input: FilePath, _ setting: Term? = nil) throws(RushesError) {
        // What others say of their length is a guess.
        guard let range, let duration, isIndexed, range.start >= duration else { return }
        throw endsBefore(range, input, setting)
    }

    /// What is said of an index that lists more samples than the file has.
    var unplacedSamples: String? {
        guard let count = reindexed?.unplacedCount, count > 0 else { return nil }
        return count == 1
            ? "The input's index lists one sample that lies nowhere in the file, so it is missing."
            : "The input's index lists \(count) samples that lie nowhere in the file, so they are missing."
    }

    /// - Parameter setting: what says where the part begins; `nil` for one part, whose beginning may be given in two ways.
    func endsBefore(_ range: TimeRange, _ input: FilePath, _ setting: Term? = nil) -> RushesError {
        let cure = setting.map { "\($0)" } ?? "\(Term.start) or \(Term.part)"
        let length = duration.map { " lasts \($0.secondsToHundredths) s and" } ?? ""
        return RushesError(
            .invalidSettings, on: input.string,
            "\(input.displayName)\(length) ends before the part begins; choose an earlier \(cure).")
    }
}
