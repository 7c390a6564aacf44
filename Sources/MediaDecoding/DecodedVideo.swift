import CLibAV
package import MediaTypes

/// A stream of video that libavformat reads and libavcodec decodes.
///
/// It holds no frames: they are decoded as they are handed out.
package struct DecodedVideo: Sendable, Hashable {
    /// As ffprobe names it.
    package let codec: String
    package let size: VideoSize
    package let format: RawFormat
    /// Frames a second on average; nil where nothing tells.
    package let rate: Fraction?
    /// How wide a pixel is for its height; nil where nothing tells.
    package let pixelAspect: Fraction?
    package let colors: Colors
    /// Whether its first frame consists of fields, and which of them is shown first.
    package let isInterlaced: Bool
    package let isTopFieldFirst: Bool
    /// In bits a second; nil where nothing tells.
    package let bitRate: UInt64?
    /// Degrees clockwise that players turn it.
    package let rotation: Int
    /// ISO 639; nil where nothing tells.
    package let language: String?
    package let title: String?
    /// nil where nothing tells.
    let duration: MediaTime?
    /// When its first frame is shown, in the file's own time.
    let beginning: MediaTime
    let index: Int

    /// Whether its samples are linear light as floating point.
    package var isFloat: Bool { format.isFloat }

    /// In the numbers of ITU-T H.273; 2 where nothing tells.
    package struct Colors: Sendable, Hashable {
        package let primaries: Int
        package let transfer: Int
        package let matrix: Int
        package let isFullRange: Bool
    }

    /// A decoded frame, to be read while it is lent.
    package struct Frame {
        package let planes: RawPlanes
        package let time: MediaTime
        /// nil where nothing tells.
        package let duration: MediaTime?
        package let isInterlaced: Bool
        package let isTopFieldFirst: Bool
    }

    /// Decodes its beginning. Blocks.
    ///
    /// - Returns: nil where nothing of it is decoded.
    init?(_ file: MediaFile, _ index: Int) {
        guard let stream = MediaStream(file, index) else { return nil }
        var found: (AVFrame, RawFormat, MediaTime?)?
        _ = stream.forEachFrame { frame in
            let format = RawFormat(AVPixelFormat(frame.format), file.library)
            found = format.map { (frame, $0, stream.time(frame.best_effort_timestamp)) }
            return false
        }
        guard let (frame, format, begin) = found, frame.width > 0, frame.height > 0 else { return nil }
        (self.index, self.format, codec) = (index, format, file.codec(of: stream.stream))
        size = VideoSize(Int(frame.width), Int(frame.height))
        let (average, base) = (stream.stream.avg_frame_rate, stream.stream.r_frame_rate)
        rate = average.fraction ?? base.fraction
        pixelAspect = stream.stream.sample_aspect_ratio.fraction ?? frame.sample_aspect_ratio.fraction
        colors = Colors(
            primaries: Int(frame.color_primaries.rawValue),
            transfer: Int((format.isFloat ? AVCOL_TRC_BT709 : frame.color_trc).rawValue),
            matrix: Int(frame.colorspace.rawValue),
            isFullRange: format.isFullRange || frame.color_range == AVCOL_RANGE_JPEG)
        (isInterlaced, isTopFieldFirst) = (frame.isInterlaced, frame.isTopFieldFirst)
        let bits = stream.stream.codecpar.pointee.bit_rate
        bitRate = bits > 0 ? UInt64(bits) : nil
        duration = stream.stream.duration > 0 ? stream.time(stream.stream.duration) : nil
        beginning = begin ?? .zero
        rotation = file.rotation(of: stream.stream)
        let texts = file.texts(stream.stream.metadata)
        (language, title) = (texts["language"], texts["title"])
    }

    /// Hands out its frames in order, until the closure returns false. Blocks.
    ///
    /// - Parameter origin: what times count from, in the file's own time.
    /// - Throws: ``DecodedMedia/Failure`` where it changes on the way.
    /// - Returns: what could not be decoded and was left out.
    func forEachFrame(
        _ stream: MediaStream, from origin: MediaTime, _ body: (Frame) -> Bool
    ) throws(DecodedMedia.Failure) -> DecodedMedia.Damage {
        // Where a frame has no time, or that of the one before it, it is shown when the one before it ends.
        let interval = rate.map { MediaTime(seconds: Double($0.denominator) / Double($0.numerator)) }
        var (next, change, last) = (max(.zero, beginning - origin), nil as MediaTime?, nil as MediaTime?)
        let damage = stream.forEachFrame { frame in
            let told = stream.time(frame.best_effort_timestamp).map { $0 - origin }
                .flatMap { stream.isDamaged($0, from: beginning - origin, lasting: duration, after: next) ? nil : $0 }
            let isRepeated = told.flatMap { told in last.map { told <= $0 } } ?? false
            let time = isRepeated ? next : told ?? next
            guard AVPixelFormat(frame.format) == format.pixels, Int(frame.width) == size.width,
                Int(frame.height) == size.height
            else {
                change = time
                return false
            }
            let lasts = frame.lasts > 0 ? stream.time(frame.lasts) : interval
            next = (time + (lasts ?? 40 * .millisecond)).clamped
            // Before the beginning, as behind a cut, nothing is shown.
            guard time >= .zero else { return true }
            last = time
            return body(
                Frame(
                    planes: RawPlanes(frame, format, file: stream.file.library), time: time, duration: lasts,
                    isInterlaced: frame.isInterlaced, isTopFieldFirst: frame.isTopFieldFirst))
        }
        if let change {
            throw DecodedMedia.Failure(
                reason: "the size or the format of its video (\(codec)) changes at \(change.secondsToHundredths) s; "
                    + "split it there with ffmpeg (-t and -ss)")
        }
        return damage
    }
}

extension AVFrame {
    /// In ticks of its stream; 0 where nothing tells.
    fileprivate var lasts: Int64 { withUnsafePointer(to: self) { rushes_av_frame_duration($0) } }
    fileprivate var isInterlaced: Bool { withUnsafePointer(to: self) { rushes_av_frame_interlaced($0) } != 0 }
    fileprivate var isTopFieldFirst: Bool { withUnsafePointer(to: self) { rushes_av_frame_top_first($0) } != 0 }
}

extension AVRational {
    /// nil where it says nothing.
    fileprivate var fraction: Fraction? { num > 0 && den > 0 ? Fraction(Int(num), Int(den)) : nil }
}

extension MediaFile {
    /// Degrees clockwise; 0 where nothing tells.
    fileprivate func rotation(of stream: AVStream) -> Int {
        var stream = stream
        guard let matrix = library.sideData(&stream, AV_PKT_DATA_DISPLAYMATRIX, nil) else { return 0 }
        let angle = matrix.withMemoryRebound(to: Int32.self, capacity: 9) { library.rotation($0) }
        guard angle.isFinite else { return 0 }
        return ((Int((-angle / 90).rounded()) * 90) % 360 + 360) % 360
    }
}
