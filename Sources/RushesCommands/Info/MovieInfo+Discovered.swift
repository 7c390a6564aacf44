import Export
import Foundation
import GStreamer
import MediaDecoding
import MediaTypes
import MovieFiles
import Rushes
import SystemPackage
import Threads

extension MovieInfo {
    /// Describes a file that is neither QuickTime nor MP4: its packets are counted, its tags asked of GStreamer.
    ///
    /// - Throws: ``GStreamerError`` if it is not media, ``CocoaError`` if it cannot be read.
    init(discovering path: FilePath) async throws {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? file.close() }
        let size = try file.seek(offset: 0, from: .end)
        let rewrapped = (try? RewrappedAudio(reading: path)) ?? nil
        if case .companded(let audio)? = rewrapped {
            self.init(path: path.wireText, container: "aif", duration: audio.duration, size: UInt64(clamping: size))
            self.audio = [
                Audio(
                    codec: audio.codec, codecTag: "", channels: audio.channels, sampleRate: audio.rate,
                    duration: audio.duration)
            ]
            if let metadata = ((try? AIFFTags(reading: path)) ?? nil)?.metadata { read(unseen: metadata) }
            return
        }
        let (media, scan) = try await Self.streams(path, file, size: UInt64(clamping: size))
        let counted = scan.duration > .zero ? scan.duration : nil
        // A part of the file says how long the whole is, nearly.
        let bytes = scan.streams.reduce(0) { $0 + $1.byteCount }
        let guessed = counted.map { MediaTime(seconds: $0.seconds * Double(size) / Double(max(1, bytes))).clamped }
        let told = media.duration.flatMap { $0 > .zero ? $0 : nil }
        // The headers of FLAC and Monkey's Audio tell of each sample; their last block is counted whole.
        let isExact = scan.streams.count == 1 && Self.exact.contains(scan.streams.first?.caps.first?.name ?? "")
        let blocked =
            rewrapped?.duration ?? BlockedWave(reading: path)?.duration ?? FLACStreamInfo.duration(of: path)
            // Packets of Windows Media have the times at which they are sent.
            ?? (scan.streams.allSatisfy { $0.kind == .audio } ? (try? ASFLength.of(path)) ?? nil : nil)
        let duration = blocked ?? (scan.isWhole && !isExact ? counted ?? told : told ?? guessed) ?? .zero
        self.init(
            path: path.wireText, container: Self.container(media, path), duration: duration,
            size: UInt64(clamping: size))
        read(media, of: path)
        chapters = media.chapters.map { Chapter(start: $0.start, title: $0.title) }
        if chapters.isEmpty { chapters = ForeignChapters.read(path) }
        // What is video of it is its cover.
        if DSFHead(reading: path) == nil {
            let size = ((try? FLVScan(reading: path)) ?? nil)?.vp6?.shown
            video = scan.streams.filter { $0.kind == .video }.compactMap {
                Video($0, size, duration, isWhole: scan.isWhole)
            }
        }
        if video.isEmpty, let size = StillWebP.size(of: path) {
            video = [
                Video(
                    codec: "webp", codecTag: "", width: size.width, height: size.height, frameCount: 1, duration: .zero)
            ]
        }
        audio = scan.streams.filter { $0.kind == .audio }.compactMap { Audio($0, duration, isWhole: scan.isWhole) }
        if let blocked, !audio.isEmpty {
            audio[0].duration = blocked
            // What GStreamer (1.22) reads nothing of is nearly as large as its file.
            let bytes = bytes > 0 ? bytes : Int(clamping: size)
            audio[0].bitRate = UInt64(exactly: (Double(bytes) * 8 / max(0.001, blocked.seconds)).rounded(.down))
        }
        if audio.isEmpty, let stream = (try? MusepackFile(reading: path)) ?? nil, let rate = stream.rate {
            audio = [
                Audio(
                    codec: stream.codec, codecTag: "", channels: stream.channels, sampleRate: rate, duration: duration)
            ]
            audio[0].bitRate = bitRate
            read(unseen: stream.metadata)
            covers = stream.tag.flatMap { $0.covers.isEmpty ? nil : $0.covers.map(\.codec) }
        }
        appended = try? AppendedMovie(readingOther: path)
        if !video.isEmpty {
            list(try await onOwnThread("rushes-info") { OtherStream.all(in: path, named: path) })
        }
        // Its clock begins in 1970 where nobody set it, long before there was DV.
        let isDV = video.contains { $0.codec == "dvvideo" }
        if isDV, let year = creationDate?.prefix(4), year < "1990" { creationDate = nil }
    }

    /// Describes what has neither video nor audio, such as a transport stream of subtitles alone.
    ///
    /// - Throws: ``CocoaError`` if it cannot be read.
    init(listing streams: [OtherStream], of path: FilePath) throws {
        let size = try FileManager.default.attributesOfItem(atPath: path.string)[.size] as? UInt64
        self.init(
            path: path.wireText, container: path.extension?.lowercased() ?? "unknown", duration: .zero,
            size: size ?? 0)
        list(streams)
    }

    /// Adds its streams that are neither video nor audio.
    mutating func list(_ streams: [OtherStream]) {
        func tracks(areSubtitles: Bool) -> [OtherTrack]? {
            let tracks = streams.filter { $0.isSubtitles == areSubtitles }.map { stream in
                OtherTrack(
                    codec: stream.codec, language: stream.language, title: stream.title,
                    sampleCount: stream.packetCount)
            }
            return tracks.isEmpty ? nil : tracks
        }
        (subtitles, data) = (tracks(areSubtitles: true), tracks(areSubtitles: false))
    }

    private static let exact: Set = ["audio/x-flac", "audio/x-ffmpeg-parsed-ape"]

    /// Takes what its tags say of it.
    private mutating func read(_ media: DiscoveredMedia, of path: FilePath) {
        var metadata = MovieMetadata()
        metadata.fill(from: media, of: path)
        read(metadata)
        (make, model) = (metadata.make, metadata.model)
        creationDate = media.tag("datetime") ?? metadata.creationDate?.description
        let found = media.covers.count < metadata.covers.count ? metadata.covers : media.covers
        covers = found.isEmpty ? nil : found.map(\.codec)
    }

    /// Takes what a file says that GStreamer tells nothing of.
    private mutating func read(unseen metadata: MovieMetadata) {
        read(metadata)
        creationDate = metadata.creationDate?.description
        covers = metadata.covers.isEmpty ? nil : metadata.covers.map(\.codec)
    }

    mutating func read(_ metadata: MovieMetadata) {
        (title, description, artist, album) = (metadata.title, metadata.description, metadata.artist, metadata.album)
        (genre, comment, copyright) = (metadata.genre, metadata.comment, metadata.copyright)
    }

    /// What GStreamer tells and what was counted. Of what it does not know as it is, such as streams whose tables come late, and of what it fails
    /// to decode, such as FLAC of 32 bits, the latter alone.
    private static func streams(
        _ path: FilePath, _ file: FileDescriptor, size: UInt64
    ) async throws -> (DiscoveredMedia, StreamScan) {
        do {
            let media = try await discover(path, size: size)
            return (media, try await StreamScan(file))
        } catch let error as GStreamerError where error.isReported {
            let scan = try await StreamScan(file)
            // What says nothing of its size or rate is known no better.
            guard
                scan.streams.contains(where: { stream in
                    stream.kind != .other && stream.packetCount > 0
                        && ["rate", "width"].contains { stream.caps.first?[$0] != nil }
                })
            else { throw error }
            return (DiscoveredMedia(), scan)
        }
    }

    private static func discover(_ path: FilePath, size: UInt64) async throws -> DiscoveredMedia {
        let address = path.fileURL
        guard try await !onOwnThread("rushes-info", { EncryptedMXF.isOne(path) }) else {
            throw GStreamerError(element: path.wireText, message: "this \(EncryptedMXF.refusal)")
        }
        guard try await !onOwnThread("rushes-info", { MXFWrapping.isUnknown(toDemuxerOf: path) }) else {
            throw GStreamerError(element: path.wireText, message: "this \(MXFWrapping.refusal)")
        }
        do {
            return try await onOwnThread("rushes-discover") { try DiscoveredMedia(uri: address, size: size) }
        } catch var error as GStreamerError where error.element == address {
            // As people call it, not by its address.
            error.element = path.wireText
            if error.isUnknownType { error.message = "this is not a movie or audio file that Rushes can read" }
            if AnimatedWebP.isOne(path) { error.message = "this \(AnimatedWebP.refusal)" }
            throw error
        }
    }

    private static func container(_ media: DiscoveredMedia, _ path: FilePath) -> String {
        switch media.container?.first?.name {
        case "video/x-matroska", "audio/x-matroska": "mkv"
        case "video/webm", "audio/webm": "webm"
        default: path.extension?.lowercased() ?? "unknown"
        }
    }
}

extension MovieInfo.Video {
    /// - Parameters:
    ///   - size: where GStreamer does not tell it right.
    ///   - isWhole: Whether all packets were counted.
    fileprivate init?(_ stream: StreamScan.Stream, _ size: VideoSize?, _ duration: MediaTime, isWhole: Bool) {
        guard let format = stream.caps.first, let width = size?.width ?? format["width"]?.intValue,
            let height = size?.height ?? format["height"]?.intValue
        else { return nil }
        let told = format["framerate"]?.fractionValue?.doubleValue
        let counted = stream.duration > .zero ? Double(stream.packetCount) / stream.duration.seconds : nil
        // Some containers tell the finest rate that their times could have; and rounded times make an uneven one.
        let isLikely = told.flatMap { told in counted.map { abs($0 - told) < 0.05 * told } } ?? true
        let rate = isLikely ? told ?? counted : counted
        self.init(
            codec: CodecName.of(format), codecTag: "", width: width, height: height,
            frameCount: isWhole ? stream.packetCount : Int(((rate ?? 0) * duration.seconds).rounded()),
            duration: isWhole && stream.duration > .zero ? stream.duration : duration)
        frameRate = rate.flatMap { $0 > 0 ? $0 : nil }
        bitRate = stream.bitRate
        if let aspect = format["pixel-aspect-ratio"]?.fractionValue?.doubleValue, aspect > 0 {
            displayWidth = Int((Double(width) * min(aspect, 100)).rounded())
        }
        profile = format["profile"]?.stringValue.map { Self.profile($0, of: codec) }
        bitDepth = format["bit-depth-luma"]?.intValue
        chroma = format["chroma-format"]?.stringValue
        (masteringDisplay, contentLight) = (stream.light.display, stream.light.content)
        if let told = format["colorimetry"]?.stringValue.flatMap({ Colorimetry(capsText: $0) }) { read(told) }
        language = stream.language.flatMap { TrackLanguage($0) }?.tag
    }

    /// GStreamer's name, such as `constrained-baseline`, as ffprobe writes it.
    private static func profile(_ name: String, of codec: String) -> String {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return words.joined(separator: " ") + (codec == "mpeg4" ? " Profile" : "")
    }
}

extension MovieInfo.Audio {
    /// - Parameter isWhole: Whether all packets were counted.
    fileprivate init?(_ stream: StreamScan.Stream, _ duration: MediaTime, isWhole: Bool) {
        guard let format = stream.caps.first, let channels = format["channels"]?.intValue,
            let rate = format["rate"]?.intValue
        else { return nil }
        self.init(
            codec: CodecName.of(format), codecTag: "", channels: channels,
            // Whatever went into the encoder, a decoder gives 48 kHz (RFC 7845 section 4).
            sampleRate: format.name == "audio/x-opus" ? 48_000 : rate,
            duration: isWhole && stream.duration > .zero ? min(stream.duration, duration) : duration)
        // A demuxer may give next to nothing of a file that does not say how long it is.
        let samples = format.name == "audio/x-raw" ? format["format"]?.stringValue : nil
        let bits = samples.flatMap { Int($0.dropFirst().prefix(while: \.isNumber)) }
        bitRate = bits.map { UInt64(clamping: $0 * channels * rate) } ?? stream.bitRate
        language = stream.language.flatMap { TrackLanguage($0) }?.tag
    }
}

extension StreamScan.Stream {
    /// On average, in bits a second.
    fileprivate var bitRate: UInt64? {
        duration > .zero ? UInt64(exactly: (Double(byteCount) * 8 / duration.seconds).rounded(.down)) : nil
    }
}
