import MediaTypes
package import SystemPackage

extension MovieInfo {
    /// Reads what a Matroska or WebM file is from its descriptions and its blocks' heads, whatever its codecs are.
    ///
    /// - Returns: nil for a file of another kind.
    /// - Throws: `unsupported` where it is damaged, `system` where it cannot be read.
    package init?(readingMatroska path: FilePath) throws(MovieFileError) {
        let info = try ReadableFile.open(path) { (file) throws(MovieFileError) -> MovieInfo? in
            guard try MatroskaSegment.isMatroska(file) else { return nil }
            return try MovieInfo(MatroskaSegment(file, for: .describing), path, file)
        }
        guard let info else { return nil }
        self = info
    }

    private init(_ segment: MatroskaSegment, _ path: FilePath, _ file: ReadableFile) throws(MovieFileError) {
        var (video, audio): ([Video], [Audio]) = ([], [])
        var (subtitles, data): ([OtherTrack], [OtherTrack]) = ([], [])
        var (start, end) = (0.0, 0.0)
        for track in segment.tracks {
            let frames = segment.frames[track.number] ?? FrameTable()
            let span = TrackSpan(frames, track, scale: segment.timestampScale)
            (start, end) = (min(start, span.start), max(end, span.end))
            switch track.kind {
            case .video:
                var own = try Video(track, frames, span, scale: segment.timestampScale, file)
                own.language = track.language?.tag
                // Where it breaks off, frames are missing that are shown among the last ones. Not all programs tell a length that is true.
                if !segment.isWhole, let told = track.defaultDuration, let counted = own.frameRate,
                    case let rate = 1e9 / Double(told), (counted / 2...counted * 2).contains(rate)
                {
                    own.frameRate = rate
                }
                video.append(own)
            case .audio:
                var own = try Audio(track, frames, span, file)
                (own.language, own.title) = (track.language?.tag, track.name)
                audio.append(own)
            case .subtitle: subtitles.append(OtherTrack(track, frames))
            case nil: data.append(OtherTrack(track, frames))
            }
        }
        // Nothing is shown before 0.
        let seconds = (segment.toldEnd.map { Double($0) / 1e9 } ?? end) - start
        self.init(
            path: path.wireText, container: segment.documentType == "webm" ? "webm" : "mkv",
            duration: MediaTime(seconds: seconds).clamped, size: file.size)
        complete = segment.isWhole
        (self.video, self.audio) = (video, audio)
        (self.subtitles, self.data) = (subtitles.isEmpty ? nil : subtitles, data.isEmpty ? nil : data)
        covers = try segment.coverCodecs(file)
        appended = try? AppendedMovie(matroska: file)
        let metadata = try MatroskaAttributes.metadata(segment)
        creationDate = metadata.creationDate?.description
        timecode = MatroskaAttributes.timeCode(segment)?.description
        (make, model, software) = (metadata.make, metadata.model, metadata.software)
        (location, title, description) = (metadata.location, metadata.title, metadata.description)
        keywords = metadata.keywords.isEmpty ? nil : metadata.keywords
        (artist, album, genre) = (metadata.artist, metadata.album, metadata.genre)
        (comment, copyright) = (metadata.comment, metadata.copyright)
        // Those that put the movie's parts into another order are no list of its parts.
        chapters = (try? MatroskaAttributes.chapters(segment.chapters, from: 0)) ?? []
    }
}

extension MovieInfo.OtherTrack {
    fileprivate init(_ track: TrackEntry, _ frames: FrameTable) {
        self.init(
            codec: track.codecName, language: track.language?.tag, title: track.name, sampleCount: frames.count)
    }
}

extension MatroskaSegment {
    /// What the images among the attachments are coded as, by ffprobe's names, which takes them all for covers; nil where there
    /// are none.
    fileprivate func coverCodecs(_ file: ReadableFile) throws(MovieFileError) -> [String]? {
        var codecs: [String] = []
        for header in attachments {
            // What is larger is read by nobody who only wants to know what there is.
            guard let size = header.size, size <= Self.maximumLoadedSize else { continue }
            guard let list = try? Elements(try file.read(upTo: Int(size), at: header.dataOffset)[...]) else { continue }
            for data in list.all(.attachedFile) {
                guard let type = (try? Elements(data))?.text(.fileMediaType), type.hasPrefix("image/") else { continue }
                if let codec = CodecIdentifiers(mediaType: type) { codecs.append(codec.name) }
            }
        }
        return codecs.isEmpty ? nil : codecs
    }
}

/// From when to when a track is presented, in seconds of the segment.
struct TrackSpan {
    var start = 0.0
    var end = 0.0

    var duration: MediaTime { MediaTime(seconds: end - start).clamped }

    init(_ frames: FrameTable, _ track: TrackEntry, scale: UInt64) {
        let known = frames.times.filter { $0 != FrameTable.unknown }
        guard let first = known.min(), let last = known.max(), let place = frames.times.lastIndex(of: last) else {
            return
        }
        let tick = Double(scale) / 1e9
        let mean = known.count > 1 ? Double(last - first) * tick / Double(known.count - 1) : 0
        let length =
            frames.duration(of: place).map { Double($0) * tick } ?? track.defaultDuration.map { Double($0) / 1e9 }
        (start, end) = (Double(first) * tick, Double(last) * tick + (length ?? mean))
    }
}

extension MovieInfo.Video {
    fileprivate init(
        _ track: TrackEntry, _ frames: FrameTable, _ span: TrackSpan, scale: UInt64, _ file: ReadableFile
    ) throws(MovieFileError) {
        var (rate, duration) = (0.0, span.duration)
        if let times = try? frames.frameTimes(told: track.defaultDuration, scale: scale),
            let exact = try? FrameTimes(
                times, scale: scale, told: track.defaultDuration, last: frames.lastDuration(scale: scale))
        {
            (rate, duration) = (exact.rate, MediaTime(ticks: exact.shown, timescale: exact.timescale))
        }
        let head = try file.read(
            upTo: min(Int(frames.sizes.first ?? 0), LightMetadata.headSize), at: frames.offsets.first ?? 0)[...]
        func told(_ id: ElementID) -> Int { Int(clamping: track.video?.unsigned(id) ?? 0) }
        var size = VideoSize(told(.pixelWidth), told(.pixelHeight))
        if size.width == 0, size.height == 0, let coded = VideoSize(of: track.codecID, keyFrame: head) { size = coded }
        self.init(
            codec: track.codecName, codecTag: "", width: size.width, height: size.height, frameCount: frames.count,
            duration: duration)
        frameRate = rate > 0 ? rate : track.defaultDuration.map { 1e9 / Double($0) }
        bitRate = MovieInfo.bitRate(size: frames.sizes.reduce(0) { $0 + UInt64($1) }, duration: duration)
        (rotation, mirrored) = (track.orientation.rotation.rawValue, track.orientation.isMirrored)
        let shown = track.shownSize
        if shown.width > 0 {
            (displayWidth, displayHeight) = (Int(shown.width >> 16) + Int(shown.width >> 15 & 1), height)
        }
        if track.orientation.swapsWidthAndHeight { (displayWidth, displayHeight) = (displayHeight, displayWidth) }
        let format = Self.format(track, head, rate: rate)
        (profile, bitDepth, chroma) = (format?.profile, format?.bitDepth, format?.chroma)
        let description = try? ColorDescription(try track.video?.inside(.colour))
        let declared = description?.information
        let boxes = (try? description?.boxes()) ?? []
        let light = (try? track.frames(head, rate: rate)).flatMap { LightMetadata($0, head: head) }
        masteringDisplay = boxes.first { $0.type == "mdcv" }.flatMap { try? MasteringDisplay($0) } ?? light?.display
        contentLight = boxes.first { $0.type == "clli" }.flatMap { try? ContentLight($0) } ?? light?.content
        let colour = declared?.completed(by: format?.colour) ?? format?.colour
        (colorPrimaries, transfer, matrix) = (colour?.primariesName, colour?.transferName, colour?.matrixName)
        let isTold = declared?.isFullRange != nil && format?.hasStreamRange != true
        range = (isTold ? declared : format?.colour)?.rangeName
    }

    /// What the codec's own description says; nil where nothing here reads it.
    private static func format(_ track: TrackEntry, _ head: ArraySlice<UInt8>, rate: Double) -> VideoFormat? {
        if let entry = try? track.frames(head, rate: rate) { return try? VideoFormat(entry) }
        let code: FourCC? =
            switch track.codecID {
            case CodecIdentifiers.mjpeg.matroskaID: "jpeg"
            default: nil
            }
        guard let code else { return nil }
        return try? VideoFormat(SampleEntry(format: code, fileOffset: 0, fields: [], extensions: [], trailer: []))
    }
}

extension MovieInfo.Audio {
    fileprivate init(
        _ track: TrackEntry, _ frames: FrameTable, _ span: TrackSpan, _ file: ReadableFile
    ) throws(MovieFileError) {
        let size = Int(frames.sizes.first ?? 0)
        let head = try file.read(upTo: min(size, 64), at: frames.offsets.first ?? 0)[...]
        // RFC 9559 section 5.1.4.1.29: of one channel at 8 kHz where nothing is told.
        var channels = Int(clamping: track.audio?.unsigned(.channels) ?? 1)
        let coded = track.audio?.float(.samplingFrequency) ?? 8000
        let told = track.audio?.float(.outputSamplingFrequency) ?? coded
        var rate = (0...1e9).contains(told) ? Int(told.rounded()) : 0
        if let described = try? track.audio(head, size: size),
            let format = try? AudioFormat(described.entry, timescale: described.sampleRate)
        {
            (channels, rate) = (format.channels, format.sampleRate)
        } else if let header = track.codecName == "dts" ? DTSHeader(head) : nil {
            (channels, rate) = (header.channels, header.sampleRate)
        }
        // RFC 7845, 5.1: it is always decoded at that rate, whatever was encoded.
        if track.codecName == "opus" { rate = 48_000 }
        var duration = span.duration
        let lengths = frames.audioLengths
        if lengths.count == frames.count, let unit = Self.unit(track, head, size) {
            let samples = lengths.runs.reduce(0) { $0 + Double($1.count) * Double($1.value) }
            duration = MediaTime(seconds: samples / unit - Double(track.codecDelay) / 1e9).clamped
        }
        self.init(codec: track.codecName, codecTag: "", channels: channels, sampleRate: rate, duration: duration)
        bitRate = MovieInfo.bitRate(size: frames.sizes.reduce(0) { $0 + UInt64($1) }, duration: duration)
    }

    /// What the lengths of packets are counted in, in hertz.
    private static func unit(_ track: TrackEntry, _ head: ArraySlice<UInt8>, _ size: Int) -> Double? {
        (try? track.audio(head, size: size)).map { Double($0.sampleRate) }
    }
}
