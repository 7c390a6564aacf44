import MediaTypes

extension PlannedTrack {
    /// Appends its `TrackEntry` (RFC 9559 section 5.1.4.1).
    func appendEntry(to writer: inout EBMLWriter, isWebM: Bool) throws(MovieFileError) {
        let language = try MatroskaLanguage(source.trak.required("mdia"))
        let media: [UInt8]? =
            switch kind {
            case .video: try videoElement()
            case .audio: try audioElement()
            case .subtitle: nil
            }
        let isEnabled = source.trak["tkhd"]?.payload.dropFirst(3).first.map { $0 & 1 != 0 } ?? true
        writer.master(.trackEntry) { entry in
            entry.unsigned(.trackNumber, UInt64(number))
            entry.unsigned(.trackUID, UInt64(number))
            entry.unsigned(.trackType, kind.rawValue)
            // What is not enabled, as the second of two languages, is not played unless it is chosen.
            entry.unsigned(.flagDefault, isEnabled ? 1 : 0)
            roles.append(to: &entry)
            entry.unsigned(.flagLacing, 0)
            if let defaultDuration { entry.unsigned(.defaultDuration, UInt64(defaultDuration)) }
            if let name { entry.text(.name, name) }
            entry.text(.language, language.bibliographic)
            // WebM has no such element.
            if let tag = language.tag, !isWebM { entry.text(.languageBCP47, tag) }
            entry.text(.codecID, codec.id)
            if let configuration = codec.configuration { entry.data(.codecPrivate, configuration) }
            if timing.delay > 0 { entry.unsigned(.codecDelay, UInt64(timing.delay)) }
            if let preroll = codec.preroll { entry.unsigned(.seekPreRoll, preroll) }
            if transparency != nil { entry.unsigned(.maxBlockAdditionID, 1) }
            if let media { entry.append(contentsOf: media) }
            if !isWebM { appendDolbyVision(to: &entry) }
        }
    }

    /// How a Dolby Vision decoder shows what others show without it ("Dolby Vision Streams within the ISO Base Media File
    /// Format"; as mkvmerge and ffmpeg map it: by the box's name, with its bytes).
    private func appendDolbyVision(to writer: inout EBMLWriter) {
        guard let box = entry["dvcC"] ?? entry["dvvC"] else { return }
        writer.master(.blockAdditionMapping) { mapping in
            mapping.text(.blockAddIDName, "Dolby Vision configuration")
            mapping.unsigned(.blockAddIDType, UInt64(box.type.rawValue))
            mapping.data(.blockAddIDExtraData, box.payload)
        }
    }

    private var name: String? { source.trak.trackName }

    private func audioElement() throws(MovieFileError) -> [UInt8] {
        let format = try AudioFormat(entry, timescale: source.timescale)
        let core = format.codec == "aac" ? try AACConfiguration(entry)?.codedRate : nil
        let fields = try AudioFields(entry)
        var bits = format.codec == "flac" || format.codec == "alac" ? fields.bitsPerSample : 0
        // QuickTime's fields say 16 of most.
        if let bytesPerFrame { bits = bytesPerFrame / max(1, fields.channels) * 8 }
        var writer = EBMLWriter()
        writer.master(.audio) { audio in
            audio.float(.samplingFrequency, Double(core ?? format.sampleRate))
            if let core, core != format.sampleRate {
                audio.float(.outputSamplingFrequency, Double(format.sampleRate))
            }
            audio.unsigned(.channels, UInt64(max(1, format.channels)))
            if bits > 0 { audio.unsigned(.bitDepth, UInt64(bits)) }
        }
        return writer.bytes
    }

    private func videoElement() throws(MovieFileError) -> [UInt8] {
        guard let width = UInt16(bigEndianBytes: entry.fields.dropFirst(24).prefix(2)),
            let height = UInt16(bigEndianBytes: entry.fields.dropFirst(26).prefix(2)), width > 0, height > 0
        else { throw .unsupported(reason: "track \(source.trackID) does not say how large its frames are") }
        let display = try displaySize(UInt64(width), UInt64(height))
        let fields = entry["fiel"].map { Array($0.payload.prefix(2)) } ?? []
        let colour = try MatroskaColor(entry).element
        var writer = EBMLWriter()
        writer.master(.video) { video in
            if fields.count == 2 {
                video.unsigned(.flagInterlaced, fields[0] == 2 ? 1 : 2)
                // The numbers are QuickTime's.
                if fields[0] == 2, [1, 6, 9, 14].contains(fields[1]) {
                    video.unsigned(.fieldOrder, UInt64(fields[1]))
                }
            }
            if let stereo { video.unsigned(.stereoMode, stereo.rawValue) }
            if transparency != nil { video.unsigned(.alphaMode, 1) }
            video.unsigned(.pixelWidth, UInt64(width))
            video.unsigned(.pixelHeight, UInt64(height))
            // Of one eye's image.
            video.unsigned(.displayWidth, max(1, display.width / (stereo?.views.across ?? 1)))
            video.unsigned(.displayHeight, max(1, display.height / (stereo?.views.down ?? 1)))
            if let colour { video.append(contentsOf: colour) }
            if let projection { video.data(.projection, projection) }
        }
        return writer.bytes
    }

    /// By the shape of the pixels where the sample entry tells it, else as the track's header says, or the stream where that says nothing else.
    private func displaySize(_ width: UInt64, _ height: UInt64) throws(MovieFileError) -> (
        width: UInt64, height: UInt64
    ) {
        if let pasp = entry["pasp"], let across = UInt32(bigEndianBytes: pasp.payload.prefix(4)),
            let down = UInt32(bigEndianBytes: pasp.payload.dropFirst(4).prefix(4)), across > 0, down > 0
        {
            let shown = (width * UInt64(across) + UInt64(down) / 2) / UInt64(down)
            return (max(1, shown), height)
        }
        let header = try TrackHeader(try source.trak.required("tkhd"))
        let (shownWidth, shownHeight) = (UInt64(header.width) >> 16, UInt64(header.height) >> 16)
        guard shownWidth > 0, shownHeight > 0, (shownWidth, shownHeight) != (width, height) else {
            let shape = codedShape.map { Double(width) * $0.doubleValue } ?? Double(width)
            return (UInt64(min(max(1, shape), 1e6).rounded()), height)
        }
        return (shownWidth, shownHeight)
    }
}

extension Box {
    /// What QuickTime and ffmpeg call a track, of a `trak`.
    var trackName: String? {
        guard let box = descendant("udta", "name"), let text = String(validating: box.payload, as: UTF8.self),
            !text.isEmpty, !text.contains("\0")
        else { return nil }
        return text
    }
}
