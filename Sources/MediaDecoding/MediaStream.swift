import CLibAV
import MediaTypes

/// One stream of a file, and its decoder. One thread at a time may use it.
final class MediaStream {
    let file: MediaFile
    private let index: Int
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    /// Whether the first frame only primes the decoder, and comes out of it.
    private var skipsFrame = false
    /// Whether the decoder has been told that nothing comes any more.
    private var isDrained = false
    /// What could not be decoded so far.
    private var damage = DecodedMedia.Damage()
    /// When the frame ends that was handed out last, in the file's own time.
    private(set) var end = MediaTime.zero

    private var library: FormatLibrary { file.library }

    /// - Returns: nil where nothing decodes it.
    init?(_ file: MediaFile, _ index: Int) {
        (self.file, self.index) = (file, index)
        guard file.streams.indices.contains(index) else { return nil }
        let stream = file.streams[index]
        guard let codec = file.library.findDecoder(stream.pointee.codecpar.pointee.codec_id) else { return nil }
        decoder = file.library.makeDecoder(codec)
        (packet, frame) = (file.library.makePacket(), file.library.makeFrame())
        guard let decoder, packet != nil, frame != nil,
            library.setParameters(decoder, stream.pointee.codecpar) >= 0
        else { return nil }
        // libavcodec leaves out as much as Microsoft's encoders put in front, two frames, and its own encoder puts one there.
        skipsFrame = stream.pointee.codecpar.pointee.isUnpooledWMA
        if skipsFrame { decoder.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        // As many as there are processors, as far as the decoder can use them.
        decoder.pointee.thread_count = 0
        guard library.openDecoder(decoder, codec, nil) == 0 else { return nil }
        for other in file.streams.indices where other != index {
            file.streams[other].pointee.discard = AVDISCARD_ALL
        }
    }

    deinit {
        library.freeFrame(&frame)
        library.freePacket(&packet)
        library.freeDecoder(&decoder)
    }

    var stream: AVStream { file.streams[index].pointee }

    /// A time of this stream; nil for none.
    func time(_ ticks: Int64) -> MediaTime? { stream.time(ticks) }

    /// Whether a time is one that no frame or audio has: far behind what came before, and behind the stream's end. Of a disturbed reception the
    /// numbers of single packets are wrong, and so would the length of all be.
    ///
    /// - Parameters:
    ///   - beginning: of the stream, on the same clock.
    ///   - duration: of the stream; nil where nothing tells.
    ///   - last: where what came before ends.
    func isDamaged(
        _ time: MediaTime, from beginning: MediaTime, lasting duration: MediaTime?, after last: MediaTime
    ) -> Bool {
        guard let duration else { return false }
        return time > (last + Self.longestLeap).clamped && time > (beginning + duration + Self.longestLeap).clamped
    }

    private static let longestLeap = MediaTime(seconds: 60)

    /// Decodes frames in order, until there are no more or the closure returns false. Blocks.
    ///
    /// - Returns: what could not be decoded and was left out.
    func forEachFrame(_ body: (AVFrame) -> Bool) -> DecodedMedia.Damage {
        while true {
            guard let decoder, let frame else { return damage }
            switch library.receiveFrame(decoder, frame) {
            case 0:
                note(frame.pointee)
                if skipsFrame {
                    skipsFrame = false
                    continue
                }
                guard body(frame.pointee) else { return damage }
            case rushes_av_again:
                feed(decoder)
            case rushes_av_end:
                return damage
            default:
                add()
                if isDrained { return damage }
                feed(decoder)
            }
        }
    }

    private func note(_ frame: AVFrame) {
        let rate = Int(frame.sample_rate)
        let begin = time(frame.best_effort_timestamp) ?? end
        end = rate > 0 && frame.nb_samples > 0 ? begin + MediaTime(samples: Int(frame.nb_samples), rate: rate) : begin
    }

    /// Hands the next packet of the stream to its decoder, or says that there is none.
    private func feed(_ decoder: UnsafeMutablePointer<AVCodecContext>) {
        guard let format = file.format, let packet else { return }
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
            add()
        }
    }

    private func add() {
        damage.count += 1
        if damage.first == nil { damage.first = end }
    }
}

extension AVCodecParameters {
    /// Whether it is Windows Media Audio 7 or 8 whose packets each have a frame of their own, as libavcodec's encoder makes them: Microsoft's
    /// let frames borrow bits from others (the second of the flags that follow what WAVE says of it).
    fileprivate var isUnpooledWMA: Bool {
        let place: Int
        switch codec_id {
        case AV_CODEC_ID_WMAV1: place = 2
        case AV_CODEC_ID_WMAV2: place = 4
        default: return false
        }
        guard let extradata, extradata_size > place else { return false }
        return extradata[place] & 2 == 0
    }
}
