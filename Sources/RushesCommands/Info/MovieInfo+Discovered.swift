import MediaTypes
import Threads
import Foundation
import GStreamer
import Rushes
import SystemPackage

extension MovieInfo {
    /// Describes a file that is neither QuickTime nor MP4, by opening it with GStreamer.
    ///
    /// - Throws: ``GStreamerError`` if it is not media, ``CocoaError`` if it cannot be read.
    init(discovering path: FilePath) async throws {
        let address = path.fileURL
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? file.close() }
        let size = try file.seek(offset: 0, from: .end)
        let media: DiscoveredMedia
        do {
            media = try await onOwnThread("rushes-discover") { try DiscoveredMedia(uri: address) }
        } catch var error as GStreamerError where error.element == address {
            // As people call it, not by its address.
            error.element = path.wireText
            if error.isUnknownType { error.message = "this is not a movie or audio file that Rushes can read" }
            throw error
        }
        let duration = media.duration ?? .zero
        self.init(
            path: path.wireText, container: Self.container(media, path), duration: duration,
            size: UInt64(clamping: size))
        title = media.title
        description = media.tag("description", "comment")
        creationDate = media.tag("datetime")
        chapters = media.chapters.map { Chapter(start: $0.start, title: $0.title) }
        if duration > .zero { bitRate = UInt64(Double(size) * 8 / duration.seconds) }
        video = media.streams.filter { $0.kind == .video }.compactMap { Video($0, duration: duration) }
        audio = media.streams.filter { $0.kind == .audio }.compactMap { Audio($0, duration: duration) }
        if !video.isEmpty, ["mkv", "webm"].contains(container) {
            if let count = try await FrameCount.read(file) { video[0].frameCount = count }
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
    fileprivate init?(_ stream: DiscoveredMedia.Stream, duration: MediaTime) {
        guard let format = stream.caps?.first, let width = format["width"]?.intValue,
            let height = format["height"]?.intValue
        else { return nil }
        let rate = format["framerate"]?.fractionValue?.doubleValue
        self.init(
            codec: CodecName.of(format), codecTag: "", width: width, height: height,
            frameCount: Int(((rate ?? 0) * duration.seconds).rounded()), duration: duration)
        frameRate = rate
        bitRate = stream.bitRate > 0 ? UInt64(stream.bitRate) : nil
        profile = format["profile"]?.stringValue
        bitDepth = format["bit-depth-luma"]?.intValue
        chroma = format["chroma-format"]?.stringValue
    }
}

extension MovieInfo.Audio {
    fileprivate init?(_ stream: DiscoveredMedia.Stream, duration: MediaTime) {
        guard let format = stream.caps?.first, let channels = format["channels"]?.intValue,
            let rate = format["rate"]?.intValue
        else { return nil }
        self.init(codec: CodecName.of(format), codecTag: "", channels: channels, sampleRate: rate, duration: duration)
        bitRate = stream.bitRate > 0 ? UInt64(stream.bitRate) : nil
    }
}

/// GStreamer's media types under the names that ffprobe uses.
private enum CodecName {
    static func of(_ format: Structure) -> String {
        let version = format["mpegversion"]?.intValue
        switch format.name {
        case "audio/x-raw": return "pcm_\(format["format"]?.stringValue?.lowercased() ?? "")"
        // MPEG-1 audio has layers, of which the third is called MP3; AAC came with MPEG-2.
        case "audio/mpeg": return version == 1 ? "mp\(format["layer"]?.intValue ?? 3)" : "aac"
        case "video/mpeg": return version == 1 ? "mpeg1video" : version == 2 ? "mpeg2video" : "mpeg4"
        default: return CodecIdentifiers(mediaType: format.name)?.name ?? format.name
        }
    }
}
