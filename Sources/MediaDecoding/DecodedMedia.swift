import CLibAV
package import MediaTypes
package import SystemPackage

/// A file that libavformat reads and libavcodec decodes, for what GStreamer (1.22) has no demuxer or no decoder for.
///
/// It holds nothing of video and audio: they are decoded as they are handed out.
package struct DecodedMedia: Sendable, Hashable {
    package let video: [DecodedVideo]
    package let audio: [DecodedAudio]
    /// Streams of video and audio that nothing here decodes, as ffprobe names their codecs.
    package let undecodable: [String]
    /// Those of them that are audio.
    package let undecodedAudio: [UndecodedAudio]
    /// How many programs it has beside the one that is decoded, as a whole broadcast has.
    package let otherProgramCount: Int
    /// Of subtitles, as ffprobe names their codecs.
    package let subtitles: [String]
    /// nil where only decoding tells for sure.
    package let duration: MediaTime?
    /// Guessed from its bits a second where only decoding tells for sure; nil where nothing tells.
    package let likelyDuration: MediaTime?
    /// What it says of itself, by names in small letters, such as `title` and `artist`.
    package let texts: [String: String]
    package let chapters: [Chapter]
    /// Whether it has a cover, which is left out.
    package let hasCover: Bool
    /// What times count from, in the file's own time.
    private let origin: MediaTime
    private let location: FilePath
    private let name: FilePath

    /// Whether it was read of what is opened there.
    package func isOf(_ location: FilePath) -> Bool { self.location == location }

    /// A stream of audio that nothing here decodes, as far as its container tells of it.
    package struct UndecodedAudio: Sendable, Hashable {
        /// As ffprobe names it.
        package let codec: String
        package let channels: Int
        /// Samples a second.
        package let rate: Int
    }

    package struct Chapter: Sendable, Hashable {
        package let start: MediaTime
        package let title: String
    }

    /// What could not be decoded.
    package struct Damage: Sendable, Hashable {
        /// Of packets.
        package var count = 0
        /// When the first of them would have been played.
        package var first: MediaTime?

        /// None.
        package init() {}
    }

    package struct Failure: Error {
        /// In words.
        package let reason: String
    }

    /// Reads its head and decodes the beginning of each stream. Blocks.
    ///
    /// - Parameters:
    ///   - location: where it is opened.
    ///   - name: what it is called, as some formats are known by their endings alone.
    ///   - keepsTimes: whether times count as the file's index does, and not from what comes first.
    /// - Returns: nil for what has nothing that can be decoded, and where the libraries are missing.
    package init?(reading location: FilePath, named name: FilePath, keepsTimes: Bool = false) {
        guard let file = MediaFile(location, named: name) else { return nil }
        var (video, audio, undecodable) = ([DecodedVideo](), [DecodedAudio](), [String]())
        var undecodedAudio: [UndecodedAudio] = []
        let programs = file.programs
        let program = Self.chosen(of: programs, in: file, location, name)
        let chosen = file.streams.enumerated().filter { program?.contains($0.offset) ?? true }
        for (index, stream) in chosen where !stream.pointee.isCover {
            let kind = stream.pointee.kind
            guard kind == AVMEDIA_TYPE_VIDEO || kind == AVMEDIA_TYPE_AUDIO else { continue }
            // What was read for another stream is read again.
            guard let own = MediaFile(location, named: name) else { return nil }
            if kind == AVMEDIA_TYPE_VIDEO, let track = DecodedVideo(own, index) {
                video.append(track)
            } else if kind == AVMEDIA_TYPE_AUDIO, let track = DecodedAudio(own, index) {
                audio.append(track)
            } else {
                let codec = file.codec(of: stream.pointee)
                undecodable.append(codec)
                guard kind == AVMEDIA_TYPE_AUDIO else { continue }
                let told = stream.pointee.codecpar.pointee
                undecodedAudio.append(
                    UndecodedAudio(
                        codec: codec, channels: Int(told.ch_layout.nb_channels), rate: Int(told.sample_rate)))
            }
        }
        guard !video.isEmpty || !audio.isEmpty else { return nil }
        (self.location, self.name, self.video, self.audio) = (location, name, video, audio)
        (self.undecodable, self.undecodedAudio) = (undecodable, undecodedAudio)
        otherProgramCount = programs.count { $0 != program && !$0.isEmpty }
        let streams = chosen.map(\.element.pointee)
        subtitles = streams.filter { $0.kind == AVMEDIA_TYPE_SUBTITLE }.map { file.codec(of: $0) }
        hasCover = streams.contains(where: \.isCover)
        let isAlone = streams.count { $0.isVideo || $0.kind == AVMEDIA_TYPE_AUDIO } == 1
        let tracks = streams.map { file.texts($0.metadata) }
        texts = file.texts(with: isAlone ? streams.first : nil)
            .merging(tracks.compactMap { $0["timecode"] }.prefix(1).map { ("timecode", $0) }) { own, _ in own }
        origin = keepsTimes ? .zero : (video.map(\.beginning) + audio.map(\.beginning)).min() ?? .zero
        let whole = file.wholeDuration
        // Of several programs it is counted over all of their clocks.
        let isTold = whole > 0 && whole != rushes_av_no_time && program == nil
        let told = isTold ? MediaTime(seconds: Double(whole) / 1e6) : nil
        likelyDuration = isAlone || program != nil ? video.first?.duration ?? audio.first?.duration ?? told : told
        duration = file.isDurationGuessed ? nil : likelyDuration
        chapters = file.chapters(from: origin)
    }

    /// Of several programs the first whose video is decoded, or else the first that has anything.
    private static func chosen(
        of programs: [[Int]], in file: MediaFile, _ location: FilePath, _ name: FilePath
    ) -> [Int]? {
        let streams = file.streams
        func first(of kind: AVMediaType, in program: [Int]) -> Int? {
            program.first { streams.indices.contains($0) && streams[$0].pointee.kind == kind }
        }
        let withVideo = programs.first { program in
            guard let index = first(of: AVMEDIA_TYPE_VIDEO, in: program), let own = MediaFile(location, named: name)
            else { return false }
            return DecodedVideo(own, index) != nil
        }
        return withVideo ?? programs.first { first(of: AVMEDIA_TYPE_AUDIO, in: $0) != nil } ?? programs.first
    }

    /// Hands out the samples of one of its streams of audio, in order, until the closure returns false. Blocks.
    ///
    /// - Parameter body: gets the time of the first sample.
    /// - Throws: ``Failure`` where it cannot be opened any more, or changes on the way.
    /// - Returns: what could not be decoded and was left out.
    package func forEachPiece(
        of track: DecodedAudio, _ body: ([UInt8], MediaTime) -> Bool
    ) throws(Failure) -> Damage {
        try track.forEachPiece(
            try opened(track.index), from: origin, followsTimes: !video.isEmpty || audio.count > 1, body)
    }

    /// Hands out the frames of one of its streams of video, likewise.
    package func forEachFrame(
        of track: DecodedVideo, _ body: (DecodedVideo.Frame) -> Bool
    ) throws(Failure) -> Damage {
        try track.forEachFrame(try opened(track.index), from: origin, body)
    }

    /// A stream with a reader of its own, as each may be far ahead of the others.
    private func opened(_ index: Int) throws(Failure) -> MediaStream {
        guard let file = MediaFile(location, named: name), let stream = MediaStream(file, index) else {
            throw Failure(reason: "it cannot be opened any more")
        }
        return stream
    }

    /// How long its first stream of audio is, to the sample. Decodes all of that; blocks.
    ///
    /// - Returns: nil where that takes too long.
    package func countedAudio(within limit: Duration = .seconds(20)) -> MediaTime? {
        guard let track = audio.first else { return nil }
        let start = ContinuousClock.now
        var (count, isOver) = (0, false)
        _ = try? forEachPiece(of: track) { bytes, _ in
            count += bytes.count / track.frameSize
            isOver = start.duration(to: .now) > limit
            return !isOver
        }
        return isOver ? nil : MediaTime(samples: count, rate: track.rate)
    }

    /// How many frames its streams of video have, by their packets. Reads all of the file; blocks.
    ///
    /// - Returns: nil where that takes too long.
    package func countedFrames(within limit: Duration = .seconds(20)) -> [Int]? {
        MediaFile(location, named: name)?.countPackets(within: limit).map { counts in
            video.map { counts[$0.index] ?? 0 }
        }
    }
}
