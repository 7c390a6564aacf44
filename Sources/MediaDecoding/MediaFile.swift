import CLibAV
import MediaTypes
import SystemPackage

/// A file as libavformat reads it. One thread at a time may use it.
final class MediaFile {
    let library: FormatLibrary
    private let bytes: FileBytes
    private(set) var format: UnsafeMutablePointer<AVFormatContext>?

    /// What its content alone hardly says has to be said by its name too.
    private static let likely = 25
    /// Of images in files of their own GStreamer reads all but those of these demuxers.
    private static let images: Set = ["dpx_pipe", "exr_pipe"]
    /// Demuxers of what is no movie: texts that are drawn, and lists of other files. Those of images are known by the end of their names.
    private static let omitted: Set = [
        "tty", "bin", "xbin", "adf", "idf", "image2", "hls", "dash", "concat", "ffmetadata",
    ]

    /// - Parameters:
    ///   - location: where it is opened.
    ///   - name: what it is called, as some formats are known by their endings alone.
    /// - Returns: nil for what is no movie or audio file, and where the libraries are missing.
    init?(_ location: FilePath, named name: FilePath) {
        guard let library = FormatLibrary.shared, let bytes = FileBytes(location, library) else { return nil }
        (self.library, self.bytes) = (library, bytes)
        // As a pure name: what stands before a colon would be taken for a protocol.
        let ending = "media" + (name.extension.map { ".\($0)" } ?? "")
        format = library.makeFormat()
        guard let format else { return nil }
        bytes.attach(to: format)
        // What cannot be opened is freed.
        guard library.openFormat(&self.format, ending, nil, nil) == 0 else { return nil }
        guard let input = format.pointee.iformat, let demuxer = input.pointee.name.map({ String(cString: $0) }),
            format.pointee.probe_score > Self.likely || library.hasEnding(ending, input.pointee.extensions) != 0,
            !Self.omitted.contains(demuxer), !demuxer.hasSuffix("_pipe") || Self.images.contains(demuxer),
            library.findStreams(format, nil) >= 0
        else { return nil }
    }

    deinit { library.closeFormat(&format) }

    /// All of them, as far as they are known.
    var streams: [UnsafeMutablePointer<AVStream>] {
        guard let format else { return [] }
        return (0..<Int(format.pointee.nb_streams)).compactMap { format.pointee.streams[$0] }
    }

    /// The streams of each program, by their indices, where there are several; as in a broadcast, each has a clock of its own.
    var programs: [[Int]] {
        guard let format, format.pointee.nb_programs > 1 else { return [] }
        let all = (0..<Int(format.pointee.nb_programs)).compactMap { format.pointee.programs[$0] }
        return all.map { program in
            (0..<Int(program.pointee.nb_stream_indexes)).map { Int(program.pointee.stream_index[$0]) }
        }
    }

    /// What the file says of itself, by names in small letters; where it says nothing, what a stream does.
    func texts(with stream: AVStream?) -> [String: String] {
        texts(stream?.metadata).merging(texts(format?.pointee.metadata)) { $1 }
    }

    func texts(_ dictionary: OpaquePointer?) -> [String: String] {
        var (texts, entry) = ([String: String](), library.entry(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX))
        while let found = entry {
            texts[String(cString: found.pointee.key).lowercased()] = String(cString: found.pointee.value)
            entry = library.entry(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
        }
        return texts
    }

    /// In microseconds; 0 where nothing tells. Of Flash video it is when the last packet comes, however late the first one does.
    var wholeDuration: Int64 {
        guard let format else { return 0 }
        let (whole, start) = (format.pointee.duration, format.pointee.start_time)
        let isFlash = format.pointee.iformat.pointee.name.map { String(cString: $0) } == "flv"
        return isFlash && start > 0 && whole > start ? whole - start : whole
    }

    /// Where only decoding tells how long it is.
    var isDurationGuessed: Bool { format?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE }

    /// As ffprobe names it.
    func codec(of stream: AVStream) -> String {
        library.codecName(stream.codecpar.pointee.codec_id).map { String(cString: $0) } ?? "none"
    }
}

extension MediaFile {
    /// - Parameter origin: what times count from, in the file's own time.
    func chapters(from origin: MediaTime) -> [DecodedMedia.Chapter] {
        guard let format, let chapters = format.pointee.chapters else { return [] }
        return (0..<Int(format.pointee.nb_chapters)).compactMap { index in
            guard let chapter = chapters[index]?.pointee, chapter.time_base.den > 0 else { return nil }
            let start = Double(chapter.start) * Double(chapter.time_base.num) / Double(chapter.time_base.den)
            return .init(
                start: max(.zero, MediaTime(seconds: start) - origin), title: texts(chapter.metadata)["title"] ?? "")
        }
    }

    /// How many packets each stream has, by its number. Reads all of the file; blocks.
    ///
    /// - Returns: nil where that takes too long.
    func countPackets(within limit: Duration) -> [Int: Int]? {
        guard let format else { return nil }
        var packet = library.makePacket()
        defer { library.freePacket(&packet) }
        let start = ContinuousClock.now
        var counts: [Int: Int] = [:]
        while let packet, library.readPacket(format, packet) >= 0 {
            if packet.pointee.size > 0 { counts[Int(packet.pointee.stream_index), default: 0] += 1 }
            library.emptyPacket(packet)
            if start.duration(to: .now) > limit { return nil }
        }
        return counts
    }
}

extension AVStream {
    /// One of its times; nil for none.
    func time(_ ticks: Int64) -> MediaTime? {
        guard ticks != rushes_av_no_time, time_base.den > 0 else { return nil }
        return MediaTime(seconds: Double(ticks) * Double(time_base.num) / Double(time_base.den))
    }

    var kind: AVMediaType { codecpar.pointee.codec_type }
    var isCover: Bool { kind == AVMEDIA_TYPE_VIDEO && disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
    /// Video, but no cover.
    var isVideo: Bool { kind == AVMEDIA_TYPE_VIDEO && disposition & AV_DISPOSITION_ATTACHED_PIC == 0 }
}
