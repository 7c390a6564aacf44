import CLibAV
import MovieFiles

/// libavcodec's decoder of one kind of subtitles. One thread at a time may use it.
final class PacketDecoder {
    private let library: PacketLibrary
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?

    /// - Returns: nil where there is no library, or it has no such decoder, or no memory.
    init?(_ codec: SubtitleStream.Codec, header: [UInt8]) {
        guard let library = try? PacketLibrary.find() else { return nil }
        self.library = library
        // What it says goes to nobody's terminal.
        library.setLogLevel(AV_LOG_QUIET)
        packet = library.makePacket()
        guard let id = codec.decoderID, let decoder = library.decoder(id), let context = library.makeContext(decoder),
            packet != nil
        else { return nil }
        self.context = context
        context.pointee.max_pixels = Self.mostPixels
        context.pointee.pkt_timebase = AVRational(num: 1, den: 1000)
        if !header.isEmpty, let data = library.allocate(header.count + Self.padding) {
            header.withUnsafeBytes {
                data.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(data), byteCount: $0.count)
            }
            context.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
            context.pointee.extradata_size = Int32(header.count)
        }
        guard library.open(context, decoder, nil) == 0 else { return nil }
    }

    deinit {
        library.freeContext(&context)
        library.freePacket(&packet)
    }

    /// Of an image: more than any screen's, and little enough for the memory.
    static let mostPixels: Int64 = 1 << 24

    /// What decoders may read behind the data, in bytes.
    private static let padding = 64

    /// The header of SubStation Alpha that events belong to.
    var scriptHeader: [UInt8] {
        guard let context, let text = context.pointee.subtitle_header else { return [] }
        return Array(UnsafeBufferPointer(start: text, count: Int(context.pointee.subtitle_header_size)))
    }

    /// The size of the screen that images are placed on; nil where nothing tells.
    var screen: (width: Int, height: Int)? {
        guard let context, context.pointee.width > 0, context.pointee.height > 0 else { return nil }
        return (Int(context.pointee.width), Int(context.pointee.height))
    }

    /// - Parameter duration: in milliseconds.
    /// - Returns: nil where nothing comes of it, as of what is damaged or goes on in the next packet.
    func decode<Result>(_ data: [UInt8], duration: Int64, _ body: (AVSubtitle) -> Result) -> Result? {
        guard let context, let packet, library.fillPacket(packet, Int32(clamping: data.count)) == 0 else { return nil }
        defer { library.emptyPacket(packet) }
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                packet.pointee.data.update(from: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
            }
        }
        (packet.pointee.pts, packet.pointee.duration) = (0, duration)
        var (subtitle, isThere) = (AVSubtitle(), Int32(0))
        guard library.decode(context, &subtitle, &isThere, packet) >= 0, isThere != 0 else { return nil }
        defer { library.freeSubtitle(&subtitle) }
        return body(subtitle)
    }
}

extension AVSubtitle {
    var images: [AVSubtitleRect] { (0..<Int(num_rects)).compactMap { rects?[$0]?.pointee } }
}

extension SubtitleStream.Codec {
    /// nil for what libass reads by itself.
    var decoderID: AVCodecID? {
        switch self {
        case .text: AV_CODEC_ID_TEXT
        case .subRip: AV_CODEC_ID_SUBRIP
        case .webVTT: AV_CODEC_ID_WEBVTT
        case .bluray: AV_CODEC_ID_HDMV_PGS_SUBTITLE
        case .dvd: AV_CODEC_ID_DVD_SUBTITLE
        case .dvb: AV_CODEC_ID_DVB_SUBTITLE
        case .substation, .script: nil
        }
    }
}
