package import Errors
import GStreamer

/// Which video encoder, and why.
extension EncoderTables {
    /// The encoders that fit a request, best first; where one fails to open, the next is tried.
    ///
    /// Hardware comes first: it is taken to keep up. Software comes at the slowest speed that ``cpuBudget`` of the free cores
    /// keeps up with, or at its fastest with ``VideoEncoder/isRealTime`` false. One that does not keep up stands behind all
    /// that do, the cheapest first.
    /// - Throws: ``RushesError`` with the cure if none fits.
    package func videoEncoders(for request: VideoRequest, installed: InstalledElements = .registry)
        throws(RushesError)
        -> [VideoEncoder]
    {
        try Self.check(request)
        let codecs = request.codec.map { [$0] } ?? VideoCodec.defaults(for: request.container)
        var found: [VideoEncoder] = []
        var firstRefusal: RushesError?
        for codec in codecs {
            do { found += try encoders(for: codec, request, installed) } catch { firstRefusal = firstRefusal ?? error }
        }
        if found.isEmpty, let firstRefusal { throw firstRefusal }
        return found.filter(\.isRealTime) + found.filter { !$0.isRealTime }.sorted { $0.load < $1.load }
    }

    /// The same encoder at its faster speeds, the next one first.
    ///
    /// - Parameter request: what it was chosen for.
    func fasterEncoders(
        than encoder: VideoEncoder, for request: VideoRequest, installed: InstalledElements = .registry
    ) throws(RushesError) -> [VideoEncoder] {
        let entry = try table(for: encoder.codec).encoders.first { $0.element == encoder.element }
        let names = entry?.speedNames(request.purpose) ?? []
        guard let place = names.firstIndex(where: { $0 == encoder.speed }) else { return [] }
        var faster: [VideoEncoder] = []
        for name in names[(place + 1)...] {
            var request = request
            (request.codec, request.requiredSpeed) = (encoder.codec, name)
            let speed = entry?.speeds.first { $0.name == name }
            faster += try encoders(for: encoder.codec, request, installed).filter {
                $0.element == encoder.element && speed?.hasEnoughThreads(for: $0.load) != false
            }
        }
        return faster
    }

    /// The part of the cores left free by others that a live encoder may need by its measured cost. The rest is for the
    /// camera's decoding and conversion, audio, scenes dearer than the measured ones, and whoever begins meanwhile.
    static let cpuBudget = 0.4

    /// - Throws: ``RushesError`` with the names that there are, where no encoder of a codec that is installed has a speed.
    package func check(
        speed: String, of codec: VideoCodec, for purpose: EncodingPurpose, installed: InstalledElements = .registry
    ) throws(RushesError) { try table(for: codec).check(speed, purpose, installed) }

    private static func check(_ request: VideoRequest) throws(RushesError) {
        if request.codec == .copy { throw RushesError(.invalidSettings, "a copied stream has no encoder") }
        if request.profile != nil, request.codec != .prores {
            throw RushesError(
                .invalidSettings,
                "only ProRes has a profile; add \(Term.videoCodec) prores, or leave \(Term.profile) out")
        }
        if request.codec == .prores, request.control != .standard {
            throw RushesError(
                .invalidSettings, "ProRes takes its quality and rate from its profile; use \(Term.profile) instead")
        }
    }

    private func encoders(
        for codec: VideoCodec, _ request: VideoRequest, _ installed: InstalledElements
    ) throws(RushesError) -> [VideoEncoder] {
        let table = try table(for: codec)
        var found: [VideoEncoder] = []
        var refusal: RushesError?
        if let speed = request.requiredSpeed { try table.check(speed, request.purpose, installed) }
        let able = table.encoders.filter { installed.contains($0.element) && $0.has(request) }
        for entry in able {
            switch fit(entry, of: table, codec, request) {
            case .success(let encoder): found.append(encoder)
            case .failure(let last): refusal = last
            }
        }
        guard found.isEmpty else { return found }
        // Of those that need larger frames the one that needs least tells how large.
        let areTooSmall = able.allSatisfy { $0.isTooSmall(request.size) }
        if areTooSmall, let least = able.min(by: { $0.smallest?.pixels ?? 0 < $1.smallest?.pixels ?? 0 }),
            case .failure(let refusal) = fit(least, of: table, codec, request)
        {
            throw refusal
        }
        throw refusal ?? table.missing
    }

    private func fit(
        _ entry: EncoderEntry, of table: EncoderTable, _ codec: VideoCodec, _ request: VideoRequest
    ) -> Result<VideoEncoder, RushesError> {
        if let refusal = entry.refusal(of: request.size, as: table.name) {
            return .failure(
                RushesError(.invalidSettings, "\(refusal); choose another \(Term.size) or \(Term.videoCodec)"))
        }
        let profile = codec == .prores ? request.profile?.rawValue ?? table.profiles.first : nil
        let alphaFormats = request.hasAlpha ? entry.alphaFormats(profile: profile) : []
        let formats =
            alphaFormats.isEmpty
            ? entry.formats(bitDepth: request.bitDepth, chroma: request.chroma, profile: profile) : alphaFormats
        if formats.isEmpty, request.chroma != .yuv420 {
            return .failure(
                RushesError(
                    .invalidSettings,
                    "\(entry.element) does not write \(table.name) with \(request.chroma.rawValue) and \(request.bitDepth) bit; "
                        + "leave \(Term.chroma) out, or use \(Term.videoCodec) hevc"))
        }
        if formats.isEmpty {
            let cure = "use \(Term.bitDepth) 8, or \(Term.videoCodec) hevc"
            return .failure(
                RushesError(.invalidSettings, "\(entry.element) writes \(table.name) with 8 bit only; \(cure)"))
        }
        guard let control = entry.control(for: request) else {
            return .failure(
                RushesError(
                    .invalidSettings, "\(table.name) has no bit rate to set with \(entry.element); use \(Term.quality)")
            )
        }
        let choice = SpeedChoice(entry, request)
        let pass = entry.hasPasses ? request.pass : nil
        let task = EncoderTask(
            purpose: request.purpose, bitDepth: request.bitDepth, profile: profile, speed: choice.speed,
            control: control,
            pass: pass, rate: request.rate.doubleValue, arrivalRate: request.arrivalRate, cores: request.cores)
        var encoder = VideoEncoder(
            codec: codec, element: entry.element, isHardware: entry.isHardware,
            properties: entry.properties(for: task),
            speed: entry.speeds.count > 1 ? choice.speed?.name : nil, isRealTime: choice.isRealTime, load: choice.load,
            formats: formats,
            pass: pass, firstPassShare: entry.firstPassShare, qualityLevels: entry.qualityLevels,
            qualityName: entry.qualityName, copiesFrames: entry.attributes["copies-frames"] == "true",
            colorimetry: entry.attributes["colorimetry"], output: entry.output(profile: profile), parser: table.parser,
            caps: table.caps, reason: choice.reason(table, entry, profile: profile, request))
        encoder.keepsAlpha = !alphaFormats.isEmpty
        return .success(encoder)
    }
}

extension EncoderTable {
    fileprivate func check(
        _ speed: String, _ purpose: EncodingPurpose, _ installed: InstalledElements
    ) throws(RushesError) {
        let able = encoders.filter { installed.contains($0.element) }.map { ($0.element, $0.speedNames(purpose)) }
        if able.isEmpty || able.contains(where: { $0.1.contains(speed) }) { return }
        let known = able.filter { !$0.1.isEmpty }.map { "\($0.0) has \($0.1.joined(separator: ", "))" }
        throw RushesError(
            .invalidSettings,
            known.isEmpty
                ? "\(name) has one speed only; leave \(Term.encoderSpeed) out."
                : "\(name) has no speed “\(speed)”\(purpose == .live ? " to record with" : ""): \(known.joined(separator: "; "))."
        )
    }

    var missing: RushesError {
        // Hardware encoders come with their drivers; what a person can install is the software, best first.
        let software = encoders.filter { !$0.isHardware }
        let element = (software.first ?? encoders.first)?.element ?? name
        return RushesError(
            .encoderMissing, on: name,
            "\(name) needs \(element); install \((software.first ?? encoders.first)?.package ?? package)")
    }
}

extension EncoderEntry {
    /// The speeds that can be chosen from, slowest first; none where there is one.
    func speedNames(_ purpose: EncodingPurpose) -> [String] {
        speeds.count > 1 ? speeds.filter { $0.purposes.contains(purpose) }.map(\.name) : []
    }

    fileprivate func has(_ request: VideoRequest) -> Bool {
        request.requiredSpeed.map { speedNames(request.purpose).contains($0) } ?? true
    }

    /// The request's quality or rate in the element's own terms; `nil` if it has no such thing.
    func control(for request: VideoRequest) -> EncoderTask.Control? {
        switch request.control {
        case .bitrate(let bits): hasBitrate ? .bitrate(bits) : nil
        case .standard, .quality:
            if hasQuality { .quality(nativeQuality(request.control.quality)) } else { derivedBitrate(request) }
        }
    }

    /// A rate for the quality asked for, for hardware that knows rates only: the table's at 60, 2.8 times that at 100.
    private func derivedBitrate(_ request: VideoRequest) -> EncoderTask.Control {
        guard hasBitrate, let bitsPerPixel = attributes.number("bits-per-pixel") else { return .none }
        let relative = Double(max(15, request.control.quality ?? 60)) / 60
        return .bitrate(Int(bitsPerPixel * request.pixelsPerSecond * relative * relative))
    }
}

extension RateControl {
    fileprivate var quality: Int? { if case .quality(let value) = self { value } else { nil } }
}
