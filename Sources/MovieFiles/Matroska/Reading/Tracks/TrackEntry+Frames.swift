import MediaTypes

/// How the frames of a track are described in MP4.
extension TrackEntry {
    fileprivate enum FrameFormat: CaseIterable {
        case avc, hevc, av1, vp9, prores

        init?(_ codecID: String) {
            guard let format = Self.allCases.first(where: { $0.codec.matroskaID == codecID }) else { return nil }
            self = format
        }

        private var codec: CodecIdentifiers {
            switch self {
            case .avc: .h264
            case .hevc: .hevc
            case .av1: .av1
            case .vp9: .vp9
            case .prores: .prores
            }
        }

        /// That which is written.
        ///
        /// - Parameter configuration: the track's `CodecPrivate`, which is ProRes' own sample entry.
        /// - Returns: nil where it is none.
        func sampleEntry(_ configuration: ArraySlice<UInt8>) -> FourCC? {
            guard self == .prores else { return FourCC(codec.sampleEntries[0]) }
            let type = UInt32(bigEndianBytes: configuration.prefix(4)).map(FourCC.init(rawValue:))
            return type.flatMap { codec.sampleEntries.contains($0.description) ? $0 : nil }
        }
    }

    /// Whether a movie's index can describe its frames.
    var hasKnownFrames: Bool { FrameFormat(codecID) != nil }

    /// - Parameter isForMatroska: whether they go to Matroska again, where ProRes lies without the head that movies want before each frame.
    /// - Throws: `unsupported` for frames that the copy does not hold like this.
    func expectKnownFrames(isForMatroska: Bool) throws(MovieFileError) {
        guard kind == .video else { return }
        let format = FrameFormat(codecID)
        guard format == nil || format == .prores && !isForMatroska else { return }
        throw .unsupported(reason: "its frames, \(codecID), cannot be copied as they are")
    }

    /// In pixels, as coded.
    var size: (width: UInt16, height: UInt16)? {
        guard let width = video?.unsigned(.pixelWidth), let height = video?.unsigned(.pixelHeight), width > 0,
            height > 0, let width = UInt16(exactly: width), let height = UInt16(exactly: height)
        else { return nil }
        return (width, height)
    }

    /// How the images of both eyes lie in a frame, where there are two.
    var stereo: StereoLayout? { video?.unsigned(.stereoMode).flatMap(StereoLayout.init(rawValue:)) }

    /// The width of a pixel to its height, in lowest terms.
    var pixelAspect: (width: UInt64, height: UInt64) {
        // Pixels or only their ratio; centimetres and inches say the same.
        guard let size, let video, video.unsigned(.displayUnit) ?? 0 < 4 else { return (1, 1) }
        // What is told is how large one eye's image is.
        let views = stereo?.views ?? (across: 1, down: 1)
        let told = (width: video.unsigned(.displayWidth), height: video.unsigned(.displayHeight))
        let wide =
            min(told.width.map { min($0, 1 << 30) * views.across } ?? UInt64(size.width), 1 << 31) * UInt64(size.height)
        let high =
            min(told.height.map { min($0, 1 << 30) * views.down } ?? UInt64(size.height), 1 << 31) * UInt64(size.width)
        guard wide > 0, high > 0 else { return (1, 1) }
        var (a, b) = (wide, high)
        while b > 0 { (a, b) = (b, a % b) }
        let (width, height) = (wide / a, high / a)
        return width <= UInt32.max && height <= UInt32.max ? (width, height) : (1, 1)
    }

    /// As shown, before it is turned; 16.16 fixed point.
    var shownSize: (width: UInt32, height: UInt32) {
        guard let size else { return (0, 0) }
        let aspect = pixelAspect
        let width = Double(size.width) * Double(aspect.width) / Double(aspect.height)
        return (UInt32(min((width * 65_536).rounded(), Double(UInt32.max))), UInt32(size.height) << 16)
    }

    /// How its frames lie on a sphere or another solid around the viewer (RFC 9559 section 5.1.4.1.28.41), as the file says it; nil of plain
    /// frames.
    var projection: ArraySlice<UInt8>? {
        guard let data = video?[.projection], let type = (try? Elements(data))?.unsigned(.projectionType), type != 0
        else { return nil }
        return data
    }

    /// How it is to be turned (RFC 9559 section 5.1.4.1.28.41), where its projection is a plain frame's.
    var orientation: MovieOrientation {
        guard let projection = try? video?.inside(.projection), projection.unsigned(.projectionType) ?? 0 == 0,
            let roll = projection.float(.projectionPoseRoll), abs(roll) <= 360
        else { return .upright }
        // Matroska's goes the other way round.
        let degrees = ((Int(-roll.rounded()) % 360) + 360) % 360
        return MovieOrientation(degrees: degrees) ?? .upright
    }

    /// - Parameters:
    ///   - head: The first bytes of the first frame.
    ///   - rate: Of the frames, in a second.
    func frames(_ head: ArraySlice<UInt8>, rate: Double) throws(MovieFileError) -> SampleEntry {
        guard let format = FrameFormat(codecID), let size, let type = format.sampleEntry(codecPrivate) else {
            throw .unsupported(reason: "the description of its frames, track \(number), is invalid")
        }
        var entry = SampleEntry(
            format: type, fileOffset: 0, fields: Self.fields(size), extensions: [], trailer: [])
        let colour = try ColorDescription(try video?.inside(.colour))
        switch format {
        case .avc, .hevc:
            guard codecPrivate.first == 1, codecPrivate.count >= (format == .avc ? 7 : 23) else {
                throw undescribed
            }
            // Without parameter sets in the description they are among the frames.
            if format == .hevc, codecPrivate.dropFirst(22).first == 0 { entry.format = "hev1" }
            entry.extensions.append(configuration(format == .avc ? "avcC" : "hvcC", codecPrivate))
        case .av1:
            var record = codecPrivate
            if record.count < 4 {
                guard let header = AV1SequenceHeader(obusIn: head) else {
                    throw undescribed
                }
                record = (header.configurationRecord + header.obu)[...]
            }
            entry.extensions.append(configuration("av1C", record))
        case .vp9:
            guard let header = VP9Header(head) else {
                throw .unsupported(reason: "the first frame of track \(number) is not one of VP9")
            }
            let level = VP9Header.level(
                frameSize: Int(size.width) * Int(size.height), rate: rate)
            entry.extensions.append(try header.configuration(level: level, colour: colour.information))
        case .prores: break
        }
        if let dolbyVision { entry.extensions.append(dolbyVision) }
        entry.extensions += try colour.boxes()
        let aspect = pixelAspect
        if aspect.width != aspect.height {
            entry.extensions.append(
                try Box("pasp") { (writer: inout ByteWriter) in
                    writer.append(UInt32(clamping: aspect.width))
                    writer.append(UInt32(clamping: aspect.height))
                })
        }
        if let box = try stereo?.box() { entry.extensions.append(box) }
        let spherical = projection.flatMap { SphericalVideo(projection: $0) }
        if let box = try spherical?.boxes().entry { entry.extensions.append(box) }
        // Who reads the movie will not take what this does not.
        do { _ = try VideoFormat(entry) } catch { throw undescribed }
        return entry
    }

    private var undescribed: MovieFileError {
        .unsupported(reason: "track \(number) does not say how its frames are coded")
    }

    private func configuration(_ type: FourCC, _ bytes: ArraySlice<UInt8>) -> Box {
        Box(type: type, fileOffset: 0, payload: bytes, children: nil)
    }

    /// The fields of a VisualSampleEntry (ISO/IEC 14496-12 section 12.1.3).
    private static func fields(_ size: (width: UInt16, height: UInt16)) -> ArraySlice<UInt8> {
        var writer = ByteWriter()
        writer.append(UInt32(0))
        writer.append(UInt16(0))
        writer.append(UInt16(1))
        writer.append(contentsOf: repeatElement(0, count: 16))
        writer.append(size.width)
        writer.append(size.height)
        // 72 dots an inch, one frame a sample, no name, 24 bits, no colour table.
        writer.append(table: [0x48_0000, 0x48_0000, 0] as [UInt32])
        writer.append(UInt16(1))
        writer.append(contentsOf: repeatElement(0, count: 32))
        writer.append(UInt16(24))
        writer.append(UInt16.max)
        return writer.bytes[...]
    }
}
