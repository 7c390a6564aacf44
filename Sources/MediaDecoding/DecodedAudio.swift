import CLibAV
import MediaTypes
import SystemPackage

/// A stream of audio that libavformat reads and libavcodec decodes.
///
/// It holds nothing of the audio: that is decoded as it is handed out.
package struct DecodedAudio: Sendable, Hashable {
    /// As ffprobe names it.
    package let codec: String
    /// Samples a second.
    package let rate: Int
    package let channels: Int
    /// Which speakers the channels are for, as WAVE numbers them (`dwChannelMask`); 0 where nothing tells.
    package let speakers: UInt64
    package let format: SampleFormat
    /// Bits of a sample that the file has where its decoder gives 32 or more, 0 of lossy codecs; nil where it gives no more than there are.
    package let narrowDepth: Int?
    /// In bits a second; nil where nothing tells.
    package let bitRate: UInt64?
    /// ISO 639; nil where nothing tells.
    package let language: String?
    package let title: String?
    /// nil where nothing tells.
    let duration: MediaTime?
    /// When its first sample is played, in the file's own time.
    let beginning: MediaTime
    let index: Int

    /// Decodes its beginning. Blocks.
    ///
    /// - Returns: nil where nothing of it is decoded.
    init?(_ file: MediaFile, _ index: Int) {
        guard let stream = MediaStream(file, index) else { return nil }
        var (first, begin) = (nil as Layout?, nil as MediaTime?)
        _ = stream.forEachFrame { frame in
            (first, begin) = (Layout(frame), stream.time(frame.best_effort_timestamp))
            return false
        }
        guard let first else { return nil }
        self.index = index
        codec = file.codec(of: stream.stream)
        (rate, channels, speakers, format) = (first.rate, first.channels, first.speakers, first.samples.format)
        let parameters = stream.stream.codecpar.pointee
        let told = parameters.bits_per_raw_sample
        narrowDepth =
            switch format {
            case .unsigned8, .signed16: nil
            case .signed32, .float32, .float64:
                told > 0 ? Int(told) : codec.hasPrefix("pcm_") ? Int(parameters.bits_per_coded_sample) : 0
            }
        let bits = parameters.bit_rate
        bitRate = bits > 0 ? UInt64(bits) : nil
        duration = stream.stream.duration > 0 ? stream.time(stream.stream.duration) : nil
        beginning = begin ?? .zero
        let texts = file.texts(stream.stream.metadata)
        (language, title) = (texts["language"], texts["title"])
    }

    /// How its frames are laid out.
    private struct Layout {
        let samples: FrameSamples
        let rate: Int
        let channels: Int
        let speakers: UInt64

        init?(_ frame: AVFrame) {
            guard let samples = FrameSamples(AVSampleFormat(frame.format)), frame.sample_rate > 0,
                frame.ch_layout.nb_channels > 0
            else { return nil }
            self.samples = samples
            (rate, channels) = (Int(frame.sample_rate), Int(frame.ch_layout.nb_channels))
            speakers = frame.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? frame.ch_layout.u.mask : 0
        }
    }

    /// Of one sample of all channels, in bytes.
    package var frameSize: Int {
        let width =
            switch format {
            case .unsigned8: 1
            case .signed16: 2
            case .signed32, .float32: 4
            case .float64: 8
            }
        return width * channels
    }

    /// Of one that is handed out, in bytes, at least.
    private static let pieceSize = 1 << 14
    /// How far a time may lie from that of the samples before it that were counted: containers round them.
    private static let tolerance = 60 * MediaTime.millisecond

    /// Hands out its samples in order, in the format and with the channels beside each other, until the closure returns false. Blocks.
    ///
    /// - Parameters:
    ///   - origin: what times count from, in the file's own time.
    ///   - followsTimes: whether the stream's times say where gaps are. Of audio alone they do not count.
    ///   - body: gets the time of the first sample.
    /// - Throws: ``DecodedMedia/Failure`` where it changes on the way.
    /// - Returns: what could not be decoded and was left out.
    func forEachPiece(
        _ stream: MediaStream, from origin: MediaTime, followsTimes: Bool, _ body: ([UInt8], MediaTime) -> Bool
    ) throws(DecodedMedia.Failure) -> DecodedMedia.Damage {
        var (piece, change, goesOn) = ([UInt8](), nil as MediaTime?, true)
        // What is counted begins here, and so many samples have been counted since.
        var (begin, samples, handedOut) = (max(.zero, beginning - origin), 0, 0)
        piece.reserveCapacity(4 * Self.pieceSize)
        func place(_ count: Int) -> MediaTime { begin + MediaTime(samples: count, rate: rate) }
        func flush() {
            guard !piece.isEmpty, goesOn else { return }
            goesOn = body(piece, place(handedOut))
            handedOut = samples
            piece.removeAll(keepingCapacity: true)
        }
        let damage = stream.forEachFrame { frame in
            guard let layout = Layout(frame), layout.rate == rate, layout.channels == channels,
                layout.samples.format == format
            else {
                change = place(samples)
                return false
            }
            if followsTimes, let time = stream.time(frame.best_effort_timestamp).map({ $0 - origin }),
                time >= .zero, (time - place(samples)).length > Self.tolerance,
                !stream.isDamaged(time, from: beginning - origin, lasting: duration, after: place(samples))
            {
                flush()
                (begin, samples, handedOut) = (time, 0, 0)
            }
            layout.samples.append(frame, channels: channels, to: &piece)
            samples += Int(frame.nb_samples)
            if piece.count >= Self.pieceSize { flush() }
            return goesOn
        }
        flush()
        if let change {
            throw DecodedMedia.Failure(
                reason: "the rate, the channels or the format of its audio (\(codec)) change at "
                    + "\(change.secondsToHundredths) s; split it there with ffmpeg (-t and -ss)")
        }
        return damage
    }
}
