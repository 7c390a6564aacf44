import Encoding
import Foundation
import MediaDecoding
import MediaTypes
import MovieFiles
import Rushes
import SystemPackage

extension MovieInfo {
    /// Describes what libavformat reads and GStreamer does not. Blocks.
    ///
    /// - Returns: nil for any other file.
    init?(decoding path: FilePath) {
        guard let media = DecodedMedia(reading: path, named: path),
            let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        else { return nil }
        defer { try? file.close() }
        let size = (try? file.seek(offset: 0, from: .end)) ?? 0
        let counted = media.video.isEmpty && media.duration == nil ? media.countedAudio() : nil
        let frames = media.video.isEmpty ? nil : media.countedFrames()
        // A stream without times is as long as its frames.
        let shown = zip(media.video, frames ?? []).compactMap { track, count in
            track.rate.map { MediaTime(samples: count, of: $0) }
        }
        let duration = media.duration ?? counted ?? media.likelyDuration ?? shown.max() ?? .zero
        self.init(
            path: path.wireText, container: path.extension?.lowercased() ?? "unknown", duration: duration,
            size: UInt64(clamping: size))
        video = media.video.enumerated().map { Video($1, frames?[$0], duration) }
        audio =
            media.audio.map { Audio($0, duration) }
            + media.undecodedAudio.map {
                Audio(codec: $0.codec, codecTag: "", channels: $0.channels, sampleRate: $0.rate, duration: duration)
            }
        if !media.video.isEmpty { list(OtherStream.all(in: path, named: path)) }
        if media.video.isEmpty, audio.count == 1, media.audio.count == 1 {
            audio[0].bitRate = audio[0].bitRate ?? bitRate
        }
        chapters = media.chapters.map { Chapter(start: $0.start, title: $0.title) }
        timecode = media.texts["timecode"]
        var metadata = MovieMetadata()
        if let tags = RealTags.read(path) { metadata.fill(from: tags) }
        metadata.fill(named: media.texts)
        read(metadata)
        creationDate = metadata.creationDate?.description
    }
}

extension MovieInfo.Video {
    fileprivate init(_ track: DecodedVideo, _ count: Int?, _ duration: MediaTime) {
        let rate = track.rate?.doubleValue
        self.init(
            codec: track.codec, codecTag: "", width: track.size.width, height: track.size.height,
            frameCount: count ?? Int(((rate ?? 0) * duration.seconds).rounded()), duration: duration)
        (frameRate, bitRate, bitDepth, chroma) = (rate, track.bitRate, track.format.bitDepth, track.format.chroma)
        let aspect = track.pixelAspect?.doubleValue ?? 1
        displayWidth = Int((Double(width) * min(aspect, 100)).rounded())
        (rotation, language) = (track.rotation, track.language)
        if rotation % 180 != 0 { (displayWidth, displayHeight) = (displayHeight, displayWidth) }
        let colors = ColorInformation(
            primaries: UInt16(clamping: track.colors.primaries), transfer: UInt16(clamping: track.colors.transfer),
            matrix: UInt16(clamping: track.colors.matrix), isFullRange: track.colors.isFullRange)
        (colorPrimaries, transfer, matrix) = (colors.primariesName, colors.transferName, colors.matrixName)
        range = track.format.chroma == nil ? nil : track.colors.isFullRange ? "full" : "limited"
    }
}

extension MovieInfo.Video {
    fileprivate mutating func complete(by track: DecodedVideo) {
        // flvdemux (1.22) counts in blocks of frames that need not fill them.
        if codec == "flv1" {
            (width, height, displayWidth) = (track.size.width, track.size.height, track.size.width)
        }
        // AVI need not say how wide pixels are; each frame of DV does.
        if codec == "dvvideo", displayWidth == width, let aspect = track.pixelAspect?.doubleValue {
            displayWidth = Int((Double(width) * min(aspect, 100)).rounded())
        }
        bitDepth = bitDepth ?? track.format.bitDepth
        chroma = chroma ?? track.format.chroma
        let colors = ColorInformation(
            primaries: UInt16(clamping: track.colors.primaries), transfer: UInt16(clamping: track.colors.transfer),
            matrix: UInt16(clamping: track.colors.matrix), isFullRange: nil)
        colorPrimaries = colorPrimaries ?? colors.primariesName
        transfer = transfer ?? colors.transferName
        matrix = matrix ?? colors.matrixName
        // Nothing is told of the usual range.
        if track.colors.isFullRange, track.format.chroma != nil { range = range ?? "full" }
    }
}

extension MovieInfo.Audio {
    fileprivate init(_ track: DecodedAudio, _ duration: MediaTime) {
        self.init(
            codec: track.codec, codecTag: "", channels: track.channels, sampleRate: track.rate, duration: duration)
        (bitRate, language, title) = (track.bitRate, track.language, track.title)
    }
}

extension MovieInfo {
    /// Whether decoders know more than its containers and headers say: AAC need not say that it is decoded to twice its rate, or to two
    /// channels, AVI says wrongly what it is, and of DTS-HD they tell the core's six channels.
    var mayBeCompleted: Bool {
        video.contains { $0.bitDepth == nil || $0.chroma == nil }
            || audio.contains {
                $0.codec == "aac"
                    ? $0.sampleRate <= 24_000 || $0.sampleRate > 48_000 : Self.toldByDecoders.contains($0.codec)
            }
    }

    private static let toldByDecoders: Set = ["aac", "aac_latm", "dts"]

    /// Takes from the decoded beginning of each track what is not told, and what AAC is decoded to.
    mutating func complete(by media: DecodedMedia?) {
        guard let media else { return }
        if media.video.count == video.count {
            for (index, track) in media.video.enumerated() where video[index].codec == track.codec {
                video[index].complete(by: track)
            }
        }
        guard media.audio.count == audio.count else { return }
        for (index, track) in media.audio.enumerated() where audio[index].codec == track.codec {
            if Self.toldByDecoders.contains(track.codec) {
                (audio[index].sampleRate, audio[index].channels) = (track.rate, track.channels)
            }
            audio[index].language = audio[index].language ?? track.language
            audio[index].title = audio[index].title ?? track.title
        }
    }

    /// The same with ffprobe's names for codecs of which only the file's own are known here.
    var named: MovieInfo {
        var info = self
        for index in video.indices {
            let codec = video[index].codec
            // Files' have four letters, the last ones maybe blanks. What is known already needs no library.
            guard codec.utf8.count <= 4, !Self.known.contains(codec) else { continue }
            let tag = codec.padding(toLength: 4, withPad: " ", startingAt: 0)
            info.video[index].codec = DecodedMedia.codec(named: tag) ?? codec
        }
        return info
    }

    private static let known: Set = ["h264", "hevc", "av1", "vp8", "vp9", "vc1", "gif", "png"]
}
