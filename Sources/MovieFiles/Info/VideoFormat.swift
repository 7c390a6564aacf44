import MediaTypes

/// How frames are coded, as a sample entry and its configuration record tell.
struct VideoFormat: Sendable {
    var codec: String
    var profile: String?
    var bitDepth: Int?
    var chroma: String?
    /// Of the frames, as H.264 and HEVC say it.
    var size: VideoSize?
    /// How much wider than high a pixel is, as H.264 and HEVC say it.
    var pixelShape: Fraction?
    /// What the codec's own headers say about colour, for files without `colr`.
    var colour: ColorInformation?
    /// Whether H.264 or HEVC itself says which range it has.
    var hasStreamRange = false

    static let chromaNames = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"]

    /// By the sample entries of ProRes.
    private static let proResProfiles = Dictionary(
        uniqueKeysWithValues: zip(
            CodecIdentifiers.prores.sampleEntries, ["proxy", "lt", "422", "hq", "4444", "4444xq"]))

    init(_ entry: SampleEntry) throws(MovieFileError) {
        codec = entry.format.codecName
        if entry.format == "mp4v", let descriptor = try ElementaryStreamDescriptor(entry) {
            codec = CodecIdentifiers(objectType: descriptor.objectType)?.name ?? codec
        }
        if let box = entry["hvcC"] { try readHEVC(box) }
        if let box = entry["avcC"] { try readAVC(box) }
        if let box = entry["av1C"] { try readAV1(box) }
        if let box = entry["vpcC"] { try readVP(box) }
        if codec == "mjpeg" {
            bitDepth = 8
            // What a JPEG's numbers mean is fixed (JFIF, ITU-T T.871).
            colour = ColorInformation(primaries: 2, transfer: 2, matrix: 5, isFullRange: true)
        }
        if let profile = Self.proResProfiles[entry.format.description] { setProRes(profile) }
    }

    private mutating func setProRes(_ profile: String) {
        codec = CodecIdentifiers.prores.name
        self.profile = profile
        let is4444 = profile.hasPrefix("4444")
        bitDepth = is4444 ? 12 : 10
        chroma = is4444 ? "4:4:4" : "4:2:2"
        // ProRes has no other range (SMPTE RDD 36).
        colour = ColorInformation(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
    }

    /// `hvcC` (ISO/IEC 14496-15 section 8.3.2).
    private mutating func readHEVC(_ box: Box) throws(MovieFileError) {
        // All of it lies among the frames.
        guard !box.payload.isEmpty else { return }
        var reader = ByteReader(box)
        try reader.skip(1)
        switch try reader.read(UInt8.self) & 0x1F {
        case 1: profile = "Main"
        case 2: profile = "Main 10"
        case 3: profile = "Main Still Picture"
        case 4: profile = "Rext"
        default: profile = nil
        }
        try reader.skip(14)
        chroma = Self.chromaNames[Int(try reader.read(UInt8.self) & 3)]
        bitDepth = Int(try reader.read(UInt8.self) & 7) + 8
        try reader.skip(4)
        for _ in 0..<(try reader.read(UInt8.self)) {
            let kind = try reader.read(UInt8.self) & 0x3F
            for _ in 0..<(try reader.read(UInt16.self)) {
                let unit = try reader.readBytes(Int(try reader.read(UInt16.self)))
                guard kind == Self.hevcSequenceParameterSet else { continue }
                let parameters = HEVCParameterSet(unit)
                (colour, size, pixelShape) = (parameters?.colour, parameters?.size, parameters?.pixelShape)
            }
        }
        hasStreamRange = colour != nil
        // Without a word in the stream the range is the limited one (ITU-T H.265 section E.3.1).
        colour = colour ?? ColorInformation(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
    }

    private static let hevcSequenceParameterSet: UInt8 = 33

    /// `avcC` (ISO/IEC 14496-15 section 5.3.3).
    private mutating func readAVC(_ box: Box) throws(MovieFileError) {
        guard !box.payload.isEmpty else { return }
        var reader = ByteReader(box)
        try reader.skip(1)
        let number: UInt8 = try reader.read()
        let constraints: UInt8 = try reader.read()
        let isIntra = constraints & 0x10 != 0
        switch number {
        case 66: profile = constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
        case 77: profile = "Main"
        case 88: profile = "Extended"
        case 100: profile = "High"
        case 110: profile = isIntra ? "High 10 Intra" : "High 10"
        case 122: profile = isIntra ? "High 4:2:2 Intra" : "High 4:2:2"
        case 244: profile = isIntra ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
        default: profile = nil
        }
        try reader.skip(2)
        guard try reader.read(UInt8.self) & 0x1F > 0 else { return }
        let unit = try reader.readBytes(Int(try reader.read(UInt16.self)))
        guard let parameters = AVCParameterSet(unit) else { return }
        chroma = Self.chromaNames[parameters.chromaFormat]
        (bitDepth, size, colour) = (parameters.bitDepth, parameters.size, parameters.colour)
        pixelShape = parameters.pixelShape
        hasStreamRange = colour != nil
    }

    /// `av1C` (AV1 Codec ISO Media File Format Binding, section 2.3).
    private mutating func readAV1(_ box: Box) throws(MovieFileError) {
        var reader = ByteReader(box)
        let version: UInt8 = try reader.read()
        // GStreamer's muxers up to 1.22 leave the box empty.
        guard version == 0x81 else { return }
        let number = Int(try reader.read(UInt8.self) >> 5)
        profile = number < 3 ? ["Main", "High", "Professional"][number] : nil
        let flags: UInt8 = try reader.read()
        bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        chroma =
            switch (flags & 0x10 != 0, flags & 0x08 != 0, flags & 0x04 != 0) {
            case (true, _, _): "4:0:0"
            case (_, true, true): "4:2:0"
            case (_, true, false): "4:2:2"
            default: "4:4:4"
            }
        try reader.skip(1)
        colour = AV1SequenceHeader(obusIn: reader.remaining)?.colour
    }

    /// Adds what AV1 tells in its frames alone: nothing has to follow the four bytes of `av1C`.
    ///
    /// - Parameter head: what the first sample begins with.
    mutating func addColour(of head: ArraySlice<UInt8>) {
        guard codec == "av1", colour == nil else { return }
        colour = AV1SequenceHeader(obusIn: head)?.colour
    }

    /// `vpcC` (VP Codec ISO Media File Format Binding, section "VP Codec Configuration Box").
    private mutating func readVP(_ box: Box) throws(MovieFileError) {
        var reader = ByteReader(box)
        try reader.skip(4)
        profile = "Profile \(try reader.read(UInt8.self))"
        try reader.skip(1)
        let packed: UInt8 = try reader.read()
        bitDepth = Int(packed >> 4)
        chroma = ["4:2:0", "4:2:0", "4:2:2", "4:4:4"][Int(min(3, packed >> 1 & 7))]
        colour = ColorInformation(
            primaries: UInt16(try reader.read(UInt8.self)), transfer: UInt16(try reader.read(UInt8.self)),
            matrix: UInt16(try reader.read(UInt8.self)), isFullRange: packed & 1 != 0)
    }
}
