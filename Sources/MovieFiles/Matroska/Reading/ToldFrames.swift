package import MediaTypes
package import SystemPackage

/// What QuickTime, MP4, Matroska or WebM say of the frames of their first video track, that decoders do not hand on.
package struct ToldFrames: Sendable, Hashable {
    package var view: ImmersiveView
    /// How wide a pixel is for its height, where the file tells the size of one eye's image and not of a frame; nil where it tells a frame's.
    package var pixelAspect: Fraction?
    /// What lies beside the frames, or says how others than plain decoders show them, and what of them: it is left out. In full sentences.
    package var omissions: [String] = []
    /// Which field of an interlaced frame is shown first; nil where the file does not say so, or that frames are progressive.
    package var fieldOrder: FieldOrder?
    /// Whether the file says when frames are decoded, and not when they are shown.
    package var hasOnlyDecodeTimes = false

    /// - Throws: `notAMovie`, `invalidBox`, `unsupported`, or `system` where the file cannot be read.
    /// - Returns: nil where it says nothing more than size and colors.
    package init?(reading path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) -> ToldFrames in
            try MatroskaSegment.isMatroska(file) ? ToldFrames(matroska: file) : ToldFrames(movie: file)
        }
        if view.isPlain, pixelAspect == nil, omissions.isEmpty, fieldOrder == nil, !hasOnlyDecodeTimes { return nil }
    }

    private init(movie file: ReadableFile) throws(MovieFileError) {
        view = ImmersiveView()
        for trak in try MovieContents(file).moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "vide",
                let stsd = mdia.descendant("minf", "stbl", "stsd"),
                let entry = try SampleEntry.entries(of: stsd, handler: "vide").first
            else { continue }
            view = ImmersiveView(stereo: StereoLayout(entry), spherical: SphericalVideo(entry, in: trak))
            fieldOrder = FieldOrder(entry)
            if ["dvcC", "dvvC", "dvwC"].contains(where: { entry[$0] != nil }) { omissions = [Self.dolbyVision] }
            if let aperture = CleanAperture(entry) { omissions.append(aperture.omission) }
            return
        }
    }

    private init(matroska file: ReadableFile) throws(MovieFileError) {
        view = ImmersiveView()
        guard let track = try MatroskaSegment(file, for: .tracks).videoTrack else { return }
        view = ImmersiveView(
            stereo: track.stereo, spherical: track.projection.flatMap { SphericalVideo(projection: $0) })
        if view.stereo != nil {
            let aspect = track.pixelAspect
            pixelAspect = Fraction(Int(aspect.width), Int(aspect.height))
        }
        fieldOrder = FieldOrder(track)
        // What was stored for Video for Windows keeps its times (matroska.org, "Codec mappings").
        hasOnlyDecodeTimes = track.codecID == "V_MS/VFW/FOURCC"
        omissions = [
            track.dolbyVision.map { _ in Self.dolbyVision }, track.tellsOfAdditions ? track.additionsOmission : nil,
            CleanAperture(track)?.omission,
        ].compactMap(\.self)
    }

    private static let dolbyVision =
        "What the file says of Dolby Vision is left out; players show the frames as they are without it."
}

extension TrackEntry {
    /// A sentence for what does not have what lies beside the frames (`BlockAdditions`).
    var additionsOmission: String {
        "What lies beside the frames of track \(number), such as HDR10+ metadata, is left out."
    }

    /// Whether it says that something lies beside its frames; how opaque they are (`AlphaMode`) is no matter here, nor is Dolby Vision, for
    /// which libavformat (59) writes one, though it lies within them.
    fileprivate var tellsOfAdditions: Bool {
        let own: UInt64 = isTransparent || dolbyVision != nil ? 1 : 0
        return hasOtherMappings || everything.unsigned(.maxBlockAdditionID) ?? 0 > own
    }
}

extension FieldOrder {
    /// What Matroska tells (RFC 9559, 5.1.4.1.28.1 and 5.1.4.1.28.2).
    ///
    /// - Returns: nil where it does not tell that the frames are interlaced, and how.
    fileprivate init?(_ track: TrackEntry) {
        guard track.video?.unsigned(.flagInterlaced) == 1, let number = track.video?.unsigned(.fieldOrder) else {
            return nil
        }
        self.init(number: number)
    }
}
