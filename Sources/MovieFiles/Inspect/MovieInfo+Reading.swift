public import Errors
import MediaTypes
public import SystemPackage

extension MovieInfo {
    /// Reads what a movie is from its index alone, or from its fragments' where it has no whole one.
    ///
    /// - Throws: ``RushesError``, `badInput` where the file cannot be read, is no movie or damaged.
    public init(contentsOf path: FilePath) throws(RushesError) {
        self = try naming(path) { () throws(MovieFileError) in try MovieInfo(reading: path) }
    }

    /// As ``init(contentsOf:)``, with what is wrong with the file itself.
    package init(reading path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            let contents = try MovieContents(file)
            var info = try MovieInfo(contents, path: path, file)
            info.timecode = try TimeCode.first(in: contents, file)?.description
            info.chapters = try ChapterReading(file: file).chapters(contents.moov)
            return info
        }
    }

    private init(_ contents: MovieContents, path: FilePath, _ file: ReadableFile) throws(MovieFileError) {
        self.path = path.wireText
        size = file.size
        container = contents.isCoreAudio ? "caf" : contents.isQuickTime ? "mov" : "mp4"
        fragmented = contents.fragments != nil
        complete = contents.isWhole
        let metadata = try MovieMetadata(moov: contents.moov)
        creationDate = metadata.creationDate?.description
        make = metadata.make
        model = metadata.model
        software = metadata.software
        location = metadata.location
        title = metadata.title
        description = metadata.description
        keywords = metadata.keywords.isEmpty ? nil : metadata.keywords
        (artist, album, genre) = (metadata.artist, metadata.album, metadata.genre)
        (comment, copyright) = (metadata.comment, metadata.copyright)
        chapters = []
        video = []
        audio = []
        duration = .zero
        let tracks = try contents.tracks()
        let chapterTracks = (try? contents.moov.chapterTrackIDs()) ?? []
        for (listed, trak) in zip(tracks, contents.moov.all("trak")) {
            var (track, frameCount) = (listed, nil as Int?)
            if !contents.isWhole, !fragmented, ["vide", "soun"].contains(track.handler) {
                let (count, length) = try trak.wholeSamples(before: size)
                frameCount = count
                track.duration = min(track.duration, MediaTime(ticks: length, timescale: track.timescale))
            }
            // A text or a time code may last longer than what is there of the movie.
            let isMedia = frameCount != nil || fragmented && ["vide", "soun"].contains(track.handler)
            if contents.isWhole || isMedia { duration = max(duration, track.duration) }
            guard let entry = track.entry else {
                addUndescribed(track)
                continue
            }
            switch track.handler {
            // Images that other tracks name as their chapters, as podcasts have them, are no video.
            case "vide" where chapterTracks.contains(track.header.trackID):
                data = (data ?? []) + [OtherTrack(track, entry)]
            case "vide":
                var own = try Video(track, entry, movieMatrix: contents.matrix, file)
                own.frameCount = frameCount ?? own.frameCount
                own.language = track.attributes.language?.tag
                video.append(own)
            case "soun":
                var own = try Audio(track, entry, file)
                (own.language, own.title) = (track.attributes.language?.tag, track.attributes.title)
                audio.append(own)
            default: add(track, entry, chapters: chapterTracks)
            }
            // What lies in another file is nowhere in this one.
            if track.statistics.end > size, (try? trak.refersToOtherFile()) != true { complete = false }
        }
        bitRate = Self.bitRate(size: size, duration: duration)
        covers = (try? contents.moov.coverCodecs()) ?? nil
        appended = try? AppendedMovie(movie: file)
    }

    /// Adds a track that is neither video nor audio; chapters are told as such.
    private mutating func add(_ track: TrackDescription, _ entry: SampleEntry, chapters: Set<UInt32>) {
        guard !chapters.contains(track.header.trackID) else { return }
        let other = OtherTrack(track, entry)
        if TrackPlaces.Kind(handler: track.handler) == .subtitle {
            subtitles = (subtitles ?? []) + [other]
        } else {
            data = (data ?? []) + [other]
        }
    }

    /// Adds a track that does not say how its samples are coded, which nothing can decode.
    private mutating func addUndescribed(_ track: TrackDescription) {
        guard track.statistics.sampleCount > 0 else { return }
        let kind = ["vide": "video", "soun": "audio"][track.handler] ?? "\(track.handler)"
        let other = OtherTrack(
            codec: "unknown", language: track.attributes.language?.tag, title: track.attributes.title,
            sampleCount: track.statistics.sampleCount, kind: kind)
        data = (data ?? []) + [other]
    }

    static func bitRate(size: UInt64, duration: MediaTime) -> UInt64? {
        guard duration > .zero else { return nil }
        return UInt64(exactly: (Double(size) * 8 / duration.seconds).rounded(.down))
    }
}

extension MovieInfo.OtherTrack {
    fileprivate init(_ track: TrackDescription, _ entry: SampleEntry) {
        self.init(
            codec: entry.format.codecName, language: track.attributes.language?.tag, title: track.attributes.title,
            sampleCount: track.statistics.sampleCount)
    }
}

extension MovieMetadata {
    /// All that a QuickTime or MP4 file tells about itself.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, or `system` where the file cannot be read.
    package static func read(_ path: FilePath) throws(MovieFileError) -> MovieMetadata {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MovieMetadata(moov: try MovieContents(file).moov)
        }
    }
}

extension MovieInfo.Video {
    init(
        _ track: TrackDescription, _ entry: SampleEntry, movieMatrix: TransformationMatrix?, _ file: ReadableFile
    ) throws(MovieFileError) {
        var format = try VideoFormat(entry)
        let head = try track.firstSample.map { (place) throws(MovieFileError) in
            try file.read(upTo: LightMetadata.headSize, at: place)[...]
        }
        format.addColour(of: head ?? [])
        codec = format.codec
        profile = format.profile
        bitDepth = format.bitDepth
        chroma = format.chroma
        codecTag = entry.format.description
        width = UInt16(bigEndianBytes: entry.fields.dropFirst(24).prefix(2)).map(Int.init) ?? 0
        height = UInt16(bigEndianBytes: entry.fields.dropFirst(26).prefix(2)).map(Int.init) ?? 0
        // Decoders go by the stream's own, but where it has only filled up its last blocks, as old encoders leave it.
        if let size = format.size, !size.sharesBlocks(with: VideoSize(width, height)) {
            (width, height) = (size.width, size.height)
        }
        let matrix = movieMatrix.map { track.header.matrix.concatenated(with: $0) } ?? track.header.matrix
        let orientation = matrix.orientation
        rotation = orientation.rotation.rawValue
        mirrored = orientation.isMirrored
        var shownWidth = track.header.width > 0 ? track.header.width.roundedFixedPoint : width
        var shownHeight = track.header.height > 0 ? track.header.height.roundedFixedPoint : height
        // Where the file says nothing, players go by the stream.
        let own = (shownWidth, shownHeight) == (width, height) ? format.pixelShape : nil
        if let shape = try track.pixelShape(file) ?? own, width > 0, height > 0 {
            // Players believe it where the track's header tells another shape.
            let wide = Double(width) * shape.doubleValue
            if abs(wide / Double(height) * Double(shownHeight) / Double(max(1, shownWidth)) - 1) > 0.01, wide < 1e6 {
                (shownWidth, shownHeight) = (Int(wide.rounded()), height)
            }
        }
        (displayWidth, displayHeight) =
            orientation.swapsWidthAndHeight ? (shownHeight, shownWidth) : (shownWidth, shownHeight)
        frameCount = track.statistics.sampleCount
        let seconds = track.mediaSeconds
        frameRate = seconds > 0 && frameCount > 0 ? Double(frameCount) / seconds : nil
        duration = track.duration
        bitRate = MovieInfo.bitRate(size: track.statistics.size, duration: track.codedDuration)
        let declared = try entry["colr"].flatMap { (box) throws(MovieFileError) in try ColorInformation(box) }
        let colour = declared?.completed(by: format.colour) ?? format.colour
        colorPrimaries = colour?.primariesName
        transfer = colour?.transferName
        self.matrix = colour?.matrixName
        let light = LightMetadata(entry, head: head ?? [])
        masteringDisplay = entry["mdcv"].flatMap { try? MasteringDisplay($0) } ?? light?.display
        contentLight = entry["clli"].flatMap { try? ContentLight($0) } ?? light?.content
        // Decoders believe the stream more than the box beside it.
        range = (declared?.isFullRange == nil || format.hasStreamRange ? format.colour : declared)?.rangeName
    }
}

extension MovieInfo.Audio {
    init(_ track: TrackDescription, _ entry: SampleEntry, _ file: ReadableFile) throws(MovieFileError) {
        var format = try AudioFormat(entry, timescale: track.timescale)
        if let place = track.firstSample { format.correct(by: try file.read(upTo: 16, at: place)[...]) }
        codec = format.codec
        codecTag = entry.format.description
        channels = format.channels
        sampleRate = format.sampleRate
        duration = track.duration
        bitRate = MovieInfo.bitRate(size: track.statistics.size, duration: track.codedDuration)
    }
}

extension UInt32 {
    /// A number in 16.16 fixed point, rounded.
    var roundedFixedPoint: Int { Int(self >> 16) + Int(self >> 15 & 1) }
}

extension VideoSize {
    /// Whether frames of either size are coded in the same blocks of 16 by 16 pixels.
    fileprivate func sharesBlocks(with other: VideoSize) -> Bool {
        (width + 15) / 16 == (other.width + 15) / 16 && (height + 15) / 16 == (other.height + 15) / 16
    }
}
