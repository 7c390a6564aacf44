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
