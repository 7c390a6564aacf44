import CLibAV
package import MediaTypes
package import SystemPackage

/// A file of audio alone that libavformat reads and libavcodec decodes, for what GStreamer (1.22) has no demuxer or no decoder for.
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
    /// nil where only decoding tells for sure.
    package let duration: MediaTime?
    /// Guessed from its bits a second where only decoding tells for sure; nil where nothing tells.
    package let likelyDuration: MediaTime?
    /// In bits a second; nil where nothing tells.
    package let bitRate: UInt64?
    /// What it says of itself, by names in small letters, such as `title` and `artist`.
    package let texts: [String: String]
    /// How many other streams of audio it has, which are left out.
    package let otherTracks: Int
    /// Whether it has a cover, which is left out.
    package let hasCover: Bool
    private let location: FilePath
    private let name: FilePath

    /// What of it could not be decoded.
    package struct Damage: Sendable, Hashable {
        /// Of packets.
        package var count = 0
        /// When the first of them would have been played.
        package var first: MediaTime?

        /// None.
        package init() {}
    }

    /// Reads its head and decodes its beginning. Blocks.
    ///
    /// - Parameters:
    ///   - location: where it is opened.
    ///   - name: what it is called, as some formats are known by their endings alone.
    /// - Returns: nil for what has video, what has no audio that can be decoded, and where the libraries are missing.
    package init?(reading location: FilePath, named name: FilePath) {
        guard let stream = AudioStream(location, named: name) else { return nil }
        var first: Layout?
        _ = stream.forEachFrame { frame in
            first = Layout(frame)
            return false
        }
        guard let first else { return nil }
        (self.location, self.name, codec, texts) = (location, name, stream.codec, stream.texts)
        (rate, channels, speakers, format) = (first.rate, first.channels, first.speakers, first.samples.format)
        likelyDuration = stream.duration
        duration = stream.isDurationGuessed ? nil : likelyDuration
        bitRate = stream.bitRate
        let kinds = stream.streams.map(\.codecpar.pointee.codec_type)
        otherTracks = kinds.count { $0 == AVMEDIA_TYPE_AUDIO } - 1
        hasCover = kinds.contains(AVMEDIA_TYPE_VIDEO)
    }

    /// How long it is, to the sample. Decodes all of it; blocks.
    ///
    /// - Returns: nil where that takes too long.
    package func counted(within limit: Duration = .seconds(20)) -> MediaTime? {
        let (start, size) = (ContinuousClock.now, frameSize)
        var (count, isOver) = (0, false)
        _ = try? forEachPiece { bytes in
            count += bytes.count / size
            isOver = start.duration(to: .now) > limit
            return !isOver
        }
        return isOver ? nil : MediaTime(samples: count, rate: rate)
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

    /// Hands out its samples in order, in the format and with the channels beside each other, until the closure returns false. Blocks.
    ///
    /// - Throws: ``Failure`` where it cannot be opened any more, or changes on the way.
    /// - Returns: what could not be decoded and was left out.
    package func forEachPiece(_ body: ([UInt8]) -> Bool) throws(Failure) -> Damage {
        guard let stream = AudioStream(location, named: name) else {
            throw Failure(reason: "it cannot be opened any more")
        }
        var (piece, samples, change) = ([UInt8](), 0, nil as MediaTime?)
        piece.reserveCapacity(4 * Self.pieceSize)
        var goesOn = true
        let damage = stream.forEachFrame { frame in
            guard let layout = Layout(frame), layout.rate == rate, layout.channels == channels,
                layout.samples.format == format
            else {
                change = MediaTime(samples: samples, rate: rate)
                return false
            }
            layout.samples.append(frame, channels: channels, to: &piece)
            samples += Int(frame.nb_samples)
            guard piece.count >= Self.pieceSize else { return true }
            goesOn = body(piece)
            piece.removeAll(keepingCapacity: true)
            return goesOn
        }
        if goesOn, !piece.isEmpty { _ = body(piece) }
        if let change {
            throw Failure(reason: "its rate, channels or format change at \(change.secondsToHundredths) s")
        }
        return damage
    }

    package struct Failure: Error {
        /// In words.
        package let reason: String
    }
}

extension AudioStream {
    fileprivate var isDurationGuessed: Bool {
        format?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    }

    fileprivate var duration: MediaTime? {
        let (length, base) = (stream.duration, stream.time_base)
        if length > 0, length != rushes_av_no_time, base.den > 0 {
            return MediaTime(seconds: Double(length) * Double(base.num) / Double(base.den))
        }
        let whole = format?.pointee.duration ?? 0
        return whole > 0 && whole != rushes_av_no_time ? MediaTime(nanoseconds: whole * 1000) : nil
    }

    fileprivate var bitRate: UInt64? {
        let rate = stream.codecpar.pointee.bit_rate
        return rate > 0 ? UInt64(rate) : nil
    }
}
