import CGStreamer
import Threads

/// What a media file holds, as GStreamer's own discoverer finds by opening it.
package struct DiscoveredMedia: Sendable {
    /// One stream of the file.
    package struct Stream: Sendable {
        /// What a stream is for.
        package enum Kind: Sendable { case video, audio, subtitle, other }
        /// What it is for.
        package var kind: Kind
        /// Codec and its parameters, such as "video/x-h264, profile=main, width=640".
        package var caps: Caps?
        /// Tag names and their values as text; frames are left out.
        package var tags: [String: String]
        /// Bits a second, or 0 where it is not known.
        package var bitRate: Int
        /// Of audio, as decoded: in hertz, or 0 where it is not known.
        package var sampleRate = 0
    }

    /// The container's caps, or `nil` for a bare stream.
    package var container: Caps?
    /// `nil` where nobody knows.
    package var duration: MediaTime?
    /// Whether one can go to a place in it.
    package var isSeekable: Bool
    /// Of the whole file and of its streams, whichever came first: tag names and their values as text.
    package var tags: [String: String]
    /// The images among its tags, such as covers, as files of their kinds; the front cover first.
    package var images: [[UInt8]]
    /// Of the whole file alone, where its container has any: likewise.
    var containerTags: [String: String]
    /// In the order of the file.
    package var chapters: [Chapter]
    /// Not always in the order of the file.
    package var streams: [Stream]

    /// In bytes: what is read before decodebin (1.22) has linked the decoder of AIFF, which it then never hears of.
    private static let shortest = 1 << 20

    /// Nothing is known.
    package init() {
        (container, duration, isSeekable) = (nil, nil, false)
        (tags, images, containerTags, chapters, streams) = ([:], [], [:], [], [])
    }

    /// Opens the file and reads until all streams are known; blocks up to the stated time.
    ///
    /// - Parameter size: of the file, in bytes, where it is known. A short one is looked at up to four times for a second before.
    /// - Throws: ``GStreamerError`` if it is not media, a decoder is missing or the time runs out.
    package init(uri: String, size: UInt64 = .max, within limit: Duration = .seconds(10)) throws(GStreamerError) {
        GStreamerLibrary.start()
        // The discoverer takes one second to one hour.
        let limit = min(max(limit, .seconds(1)), .seconds(3600))
        for limit in Array(repeating: Duration.seconds(1), count: size < Self.shortest ? 4 : 0) + [limit] {
            guard let found = try Self(looking: uri, for: limit) else { continue }
            self = found
            return
        }
        throw GStreamerError(element: uri, message: "its streams are not known after \(limit.secondsText) seconds")
    }

    /// nil where the time runs out.
    private init?(looking uri: String, for limit: Duration) throws(GStreamerError) {
        var failure: UnsafeMutablePointer<GError>?
        guard let discoverer = gst_discoverer_new(GstClockTime(waiting: limit), &failure) else {
            throw GStreamerError(adopting: failure, element: "discoverer")
        }
        defer { g_object_unref(discoverer) }
        guard let info = gst_discoverer_discover_uri(discoverer, uri, &failure) else {
            throw GStreamerError(adopting: failure, element: uri)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        if let failure { throw GStreamerError(adopting: failure, element: uri) }
        // GStreamer (1.22) sets no error for this one.
        guard gst_discoverer_info_get_result(info) != GST_DISCOVERER_TIMEOUT else { return nil }
        duration = MediaTime(clockTime: gst_discoverer_info_get_duration(info))
        isSeekable = gst_discoverer_info_get_seekable(info) != 0
        tags = texts(gst_discoverer_info_get_tags(info))
        images = TagImage.all(in: gst_discoverer_info_get_tags(info)).map(\.bytes)
        chapters = [Chapter](gst_discoverer_info_get_toc(info))
        let list = gst_discoverer_info_get_stream_list(info)
        defer { gst_discoverer_stream_info_list_free(list) }
        (streams, container, containerTags) = ([], nil, [:])
        var node = list
        while let entry = node {
            if let stream = entry.pointee.data { streams.append(Stream(OpaquePointer(stream))) }
            node = entry.pointee.next
        }
        if let outer = gst_discoverer_info_get_stream_info(info) {
            if copiedString(gst_discoverer_stream_info_get_stream_type_nick(outer))?.hasPrefix("container") == true {
                container = gst_discoverer_stream_info_get_caps(outer).map { Caps(adopting: $0) }
                containerTags = texts(gst_discoverer_container_info_get_tags(outer))
            }
            g_object_unref(UnsafeMutableRawPointer(outer))
        }
    }
}

extension DiscoveredMedia.Stream {
    fileprivate init(_ stream: OpaquePointer) {
        caps = gst_discoverer_stream_info_get_caps(stream).map { Caps(adopting: $0) }
        tags = texts(gst_discoverer_stream_info_get_tags(stream))
        let nick = copiedString(gst_discoverer_stream_info_get_stream_type_nick(stream)) ?? ""
        switch nick {
        case "video":
            kind = .video
            bitRate = Int(gst_discoverer_video_info_get_bitrate(stream))
        case "audio":
            kind = .audio
            bitRate = Int(gst_discoverer_audio_info_get_bitrate(stream))
            sampleRate = Int(gst_discoverer_audio_info_get_sample_rate(stream))
        default:
            kind = nick == "subtitles" ? .subtitle : .other
            bitRate = 0
        }
    }
}

private func texts(_ list: UnsafePointer<GstTagList>?) -> [String: String] {
    guard let list else { return [:] }
    var texts: [String: String] = [:]
    for index in 0..<max(0, gst_tag_list_n_tags(list)) {
        guard let name = gst_tag_list_nth_tag_name(list, guint(index)),
            let value = gst_tag_list_get_value_index(list, name, 0),
            // Frames and private data: as text they would be megabytes.
            rushes_value_type(value) != gst_sample_get_type()
        else { continue }
        if String(cString: name) == GST_TAG_EXTENDED_COMMENT {
            texts.merge(extendedComments(list)) { first, _ in first }
            continue
        }
        texts[String(cString: name)] =
            told(list, String(cString: name)) ?? copiedString(stringOfText(value))
            ?? takenString(gst_value_serialize(value))
    }
    return texts
}

/// What stands under names that GStreamer has no tags for: all come under one, as "NAME=text".
private func extendedComments(_ list: UnsafePointer<GstTagList>) -> [String: String] {
    var texts: [String: String] = [:]
    for index in 0..<gst_tag_list_get_tag_size(list, GST_TAG_EXTENDED_COMMENT) {
        guard
            let text = gst_tag_list_get_value_index(list, GST_TAG_EXTENDED_COMMENT, index)
                .flatMap({ copiedString(stringOfText($0)) }), let equals = text.firstIndex(of: "=")
        else { continue }
        let (name, value) = (text[..<equals], text[equals...].dropFirst())
        guard !name.isEmpty, value.contains(where: { !$0.isWhitespace }) else { continue }
        let place = GST_TAG_EXTENDED_COMMENT + "/" + name
        if texts[place] == nil { texts[place] = String(value) }
    }
    return texts
}

/// The tags of which a file may have several values that all count, as of several artists.
private let several: Set = ["artist", "album", "genre", "comment"]

/// The first text under a name that is not blank, or all of them; nil where it has no texts.
private func told(_ list: UnsafePointer<GstTagList>, _ name: String) -> String? {
    var found: [String] = []
    for index in 0..<gst_tag_list_get_tag_size(list, name) {
        guard let text = gst_tag_list_get_value_index(list, name, index).flatMap({ copiedString(stringOfText($0)) }),
            text.contains(where: { !$0.isWhitespace }),
            // ID3v1 has the first thirty letters of a comment.
            !found.contains(where: { $0 == text || name == "comment" && $0.hasPrefix(text) })
        else { continue }
        found.append(text)
    }
    guard let first = found.first else { return nil }
    return several.contains(name) ? found.joined(separator: ";") : first
}

private func stringOfText(_ value: UnsafePointer<GValue>) -> UnsafePointer<gchar>? {
    rushes_type_kind(rushes_value_type(value)) == RUSHES_KIND_STRING ? g_value_get_string(value) : nil
}

extension DiscoveredMedia {
    /// What the file says under the first of these names that it has, its container before its streams.
    package func tag(_ names: String...) -> String? {
        for tags in [containerTags, tags] {
            if let text = names.lazy.compactMap({ tags[$0] }).first { return text }
        }
        return nil
    }

    /// What stands under names that GStreamer has no tags for.
    package var extendedComments: [String: String] {
        let prefix = GST_TAG_EXTENDED_COMMENT + "/"
        let found = containerTags.merging(tags) { first, _ in first }.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    /// The title of the whole. A stream's own ("Video", "Audio") is none, and the discoverer (1.22) has it first as often as not.
    /// A file of one stream that cannot be named by itself has only that one's: one without a container, audio behind a tag. So has Ogg, in
    /// which nothing but its streams has tags: its video's, or what all of them say.
    package var title: String? {
        // The tag before MP3 is a stream of a kind that the discoverer (1.22) does not know.
        let known = streams.filter { $0.kind != .other }
        let kind = container?.first?.name ?? ""
        if known.count == 1, container == nil || Self.behindTags.contains(kind) || Self.ogg.contains(kind) {
            return containerTags["title"] ?? tags["title"] ?? known[0].tags["title"]
        }
        if Self.ogg.contains(kind), let title = (known.first { $0.kind == .video } ?? known.first)?.tags["title"],
            known.contains(where: { $0.kind == .video }) || known.allSatisfy({ $0.tags["title"] == title })
        {
            return containerTags["title"] ?? title
        }
        return containerTags["title"]
            ?? tags["title"].flatMap { title in
                streams.contains { $0.tags["title"] == title } ? nil : title
            }
    }

    private static let behindTags: Set<String> = ["application/x-id3", "application/x-apetag"]
    private static let ogg: Set<String> = ["application/ogg", "audio/ogg", "video/ogg"]
}
