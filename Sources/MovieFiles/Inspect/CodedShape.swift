import MediaTypes

/// How wide pixels are for their height where no `pasp` says it: decoders go by the frames then.
extension SampleEntry {
    /// Bytes of a frame that tell it.
    static let shapeHead = 512

    /// Codecs whose frames tell what their descriptions need not.
    private static let tellingFrames: Set = ["mpeg4", "mpeg2video", "dvvideo"]

    /// Whether decoders take it from the frames whatever the file says.
    fileprivate var isShapedByDecoder: Bool {
        let codec = format.codecName
        return codec == "h263" || Self.tellingFrames.contains(codec)
    }

    /// Whether a frame has to be read for it.
    var framesTellShape: Bool { self["pasp"] == nil && Self.tellingFrames.contains(format.codecName) }

    /// What the frames say; nil where they do not.
    ///
    /// - Parameter frame: The first one's beginning.
    /// - Throws: `invalidBox` where its description is broken.
    func codedShape(_ frame: [UInt8]) throws(MovieFileError) -> Fraction? {
        let format = try VideoFormat(self)
        let size = codedSize
        switch format.codec {
        // Of its standard formats, of which no file has to tell (ITU-T H.263, 4.1 and table 5).
        case "h263": return Self.formatsOfH263.contains(size) ? Fraction(12, 11) : nil
        case "dvvideo": return size.width == 720 ? DVFrame.pixelAspect(frame) : nil
        case "mpeg4": return try configuration.flatMap(Self.shapeOfMPEG4) ?? Self.shapeOfMPEG4(frame)
        case "mpeg2video": return try configuration.flatMap(Self.shapeOfMPEG2) ?? Self.shapeOfMPEG2(frame)
        default: return format.pixelShape
        }
    }

    private var configuration: [UInt8]? {
        get throws(MovieFileError) { try ElementaryStreamDescriptor(self)?.configuration.map(Array.init) }
    }

    private static let formatsOfH263: Set = [
        VideoSize(128, 96), VideoSize(176, 144), VideoSize(352, 288), VideoSize(704, 576), VideoSize(1408, 1152),
    ]

    /// Of a video object layer (ISO/IEC 14496-2, 6.2.3 and table 6-12).
    private static func shapeOfMPEG4(_ bytes: [UInt8]) -> Fraction? {
        guard let start = startCode(in: bytes, of: 0x20...0x2F) else { return nil }
        var reader = BitReader(bytes[start...])
        // Random access, and what kind of object it is.
        guard reader.skip(9), let hasIdentifier = reader.readFlag(), !hasIdentifier || reader.skip(7),
            let code = reader.read(4)
        else { return nil }
        let shapes = [
            1: Fraction(1), 2: Fraction(12, 11), 3: Fraction(10, 11), 4: Fraction(16, 11), 5: Fraction(40, 33),
        ]
        guard code == 15 else { return shapes[code] }
        guard let across = reader.read(8), let down = reader.read(8), across > 0, down > 0 else { return nil }
        return Fraction(across, down)
    }

    /// Of a sequence header, which tells the shape of the whole frame (ISO/IEC 13818-2, 6.3.3 and table 6-3).
    private static func shapeOfMPEG2(_ bytes: [UInt8]) -> Fraction? {
        guard let start = startCode(in: bytes, of: 0xB3...0xB3) else { return nil }
        var reader = BitReader(bytes[start...])
        guard let width = reader.read(12), let height = reader.read(12), let code = reader.read(4), width > 0,
            height > 0
        else { return nil }
        let frames = [2: Fraction(4, 3), 3: Fraction(16, 9), 4: Fraction(221, 100)]
        guard let frame = frames[code] else { return code == 1 ? Fraction(1) : nil }
        return Fraction(frame.numerator * height, frame.denominator * width)
    }

    /// Where what follows a start code begins.
    private static func startCode(in bytes: [UInt8], of kinds: ClosedRange<UInt8>) -> Int? {
        bytes.indices.dropLast(3)
            .first { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 && kinds.contains(bytes[$0 + 3]) }
            .map { $0 + 4 }
    }
}

extension TrackDescription {
    /// How wide a pixel is for its height, of video: as players take it; nil where nothing says it.
    ///
    /// - Throws: `invalidBox`, or `system` where the file cannot be read.
    func pixelShape(_ file: ReadableFile) throws(MovieFileError) -> Fraction? {
        guard handler == "vide", let entry else { return nil }
        if let told = entry.pixelShape { return told }
        let (coded, shown) = (entry.codedSize, shownSize)
        if let shown, shown != coded {
            // Players go by the header then, but decoders of these by the frames.
            guard entry.isShapedByDecoder, coded.width > 0, coded.height > 0 else { return nil }
            return Fraction(coded.height * shown.width, coded.width * shown.height)
        }
        let frame = try firstSample.map { (place) throws(MovieFileError) in
            try file.read(upTo: SampleEntry.shapeHead, at: place)
        }
        return try entry.codedShape(frame ?? [])
    }

    /// As its header tells it, before it is turned; nil where it does not.
    private var shownSize: VideoSize? {
        let size = VideoSize(header.width.roundedFixedPoint, header.height.roundedFixedPoint)
        guard size.width > 0, size.height > 0 else { return nil }
        // Some phones write it as it is after that.
        let turned = VideoSize(size.height, size.width)
        return header.matrix.orientation.swapsWidthAndHeight && entry?.codedSize == turned ? turned : size
    }
}
