import CLibAV
import MediaTypes
import SystemPackage

/// The audio stream of a file that libavformat finds best, and its decoder. One thread at a time may use it.
final class AudioStream {
    private let library: FormatLibrary
    private let bytes: FileBytes
    private(set) var format: UnsafeMutablePointer<AVFormatContext>?
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var index = 0
    /// Whether the decoder has been told that nothing comes any more.
    private var isDrained = false
    /// What could not be decoded so far.
    private var damage = DecodedAudio.Damage()

    /// What its content alone hardly says has to be said by its name too.
    private static let likely = 25

    /// - Parameters:
    ///   - location: where it is opened.
    ///   - name: what it is called, as some formats are known by their endings alone.
    /// - Returns: nil for what has video, what has no audio that can be decoded, and where the libraries are missing.
    init?(_ location: FilePath, named name: FilePath) {
        guard let library = FormatLibrary.shared, let bytes = FileBytes(location, library) else { return nil }
        (self.library, self.bytes) = (library, bytes)
        // As a pure name: what stands before a colon would be taken for a protocol.
        let ending = "audio" + (name.extension.map { ".\($0)" } ?? "")
        format = library.makeFormat()
        guard let format else { return nil }
        bytes.attach(to: format)
        // What cannot be opened is freed.
        guard library.openFormat(&self.format, ending, nil, nil) == 0 else { return nil }
        guard let input = format.pointee.iformat,
            format.pointee.probe_score > Self.likely || library.hasEnding(ending, input.pointee.extensions) != 0,
            library.findStreams(format, nil) >= 0, !streams.contains(where: \.isVideo)
        else { return nil }
        var codec: UnsafePointer<AVCodec>?
        let best = library.bestStream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0)
        guard best >= 0, let codec else { return nil }
        index = Int(best)
        decoder = library.makeDecoder(codec)
        (packet, frame) = (library.makePacket(), library.makeFrame())
        guard let decoder, packet != nil, frame != nil,
            library.setParameters(decoder, stream.codecpar) >= 0
        else { return nil }
        decoder.pointee.pkt_timebase = stream.time_base
        guard library.openDecoder(decoder, codec, nil) == 0 else { return nil }
    }

    deinit {
        library.freeFrame(&frame)
        library.freePacket(&packet)
        library.freeDecoder(&decoder)
        library.closeFormat(&format)
    }

    /// All streams of the file.
    var streams: [AVStream] {
        guard let format else { return [] }
        return (0..<Int(format.pointee.nb_streams)).compactMap { format.pointee.streams[$0]?.pointee }
    }

    /// The one that is decoded.
    var stream: AVStream { streams[index] }

    /// As ffprobe names it.
    var codec: String { library.codecName(stream.codecpar.pointee.codec_id).map { String(cString: $0) } ?? "none" }

    /// What the file says of itself, by names in small letters; where it says nothing, what its stream does.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for dictionary in [stream.metadata, format?.pointee.metadata] {
            var entry = library.entry(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
            while let found = entry {
                texts[String(cString: found.pointee.key).lowercased()] = String(cString: found.pointee.value)
                entry = library.entry(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
            }
        }
        return texts
    }

    /// Decodes frames in order, until there are no more or the closure returns false. Blocks.
    ///
    /// - Returns: what could not be decoded and was left out.
    func forEachFrame(_ body: (AVFrame) -> Bool) -> DecodedAudio.Damage {
        var samples = 0
        while true {
            guard let decoder, let frame else { return damage }
            switch library.receiveFrame(decoder, frame) {
            case 0:
                samples += Int(frame.pointee.nb_samples)
                guard body(frame.pointee) else { return damage }
            case rushes_av_again:
                feed(decoder, after: samples)
            case rushes_av_end:
                return damage
            default:
                add(after: samples)
                if isDrained { return damage }
                feed(decoder, after: samples)
            }
        }
    }

    /// Hands the next packet of the stream to its decoder, or says that there is none.
    private func feed(_ decoder: UnsafeMutablePointer<AVCodecContext>, after samples: Int) {
        guard let format, let packet else { return }
        while !isDrained {
            guard library.readPacket(format, packet) >= 0 else {
                isDrained = true
                _ = library.sendPacket(decoder, nil)
                return
            }
            defer { library.emptyPacket(packet) }
            // Those without content bring what is to be known of the stream at its end, as FLAC's.
            guard Int(packet.pointee.stream_index) == index, packet.pointee.size > 0 else { continue }
            if library.sendPacket(decoder, packet) >= 0 { return }
            add(after: samples)
        }
    }

    private func add(after samples: Int) {
        damage.count += 1
        let rate = Int(decoder?.pointee.sample_rate ?? 0)
        if damage.first == nil, rate > 0 { damage.first = MediaTime(samples: samples, rate: rate) }
    }
}

extension AVStream {
    /// Whether it is video, and not a cover.
    fileprivate var isVideo: Bool {
        codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
}
