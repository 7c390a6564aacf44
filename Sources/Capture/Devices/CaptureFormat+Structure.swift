import GStreamer

extension CaptureFormat {
    /// The formats that one structure of a camera's caps stands for: none for what cannot be recorded.
    ///
    /// Left out are bare sensor data (video/x-bayer), fields of interlaced frames, and frames that only a graphics
    /// card can read.
    init?(_ structure: Structure, pixelFormat: String?, size: VideoSize) {
        guard let encoding = Encoding.allCases.first(where: { $0.mediaType == structure.name }) else { return nil }
        if let interlacing = structure["interlace-mode"], !interlacing.alternatives.contains(.string("progressive")) {
            return nil
        }
        if encoding == .raw, pixelFormat == nil || pixelFormat == "DMA_DRM" { return nil }
        let rates = Self.rates(structure["framerate"])
        let colorimetry = structure["colorimetry"]?.stringValue
        self.init(
            encoding: encoding, pixelFormat: encoding == .raw ? pixelFormat : nil, size: size, rates: rates,
            colorimetry: colorimetry)
    }

    /// All formats of a camera's caps, each once, those of one encoding and pixel format together, the largest first.
    static func formats(of structures: [Structure]) -> [CaptureFormat] {
        var formats: [CaptureFormat] = []
        var places: [CaptureFormat: Int] = [:]
        for structure in structures {
            for pixelFormat in pixelFormats(structure["format"]) {
                for size in sizes(width: structure["width"], height: structure["height"]) {
                    guard let format = CaptureFormat(structure, pixelFormat: pixelFormat, size: size) else { continue }
                    // Some cameras list a size twice, with other rates or another colorimetry.
                    var key = format
                    (key.rates, key.colorimetry) = ([], nil)
                    if let place = places[key] {
                        formats[place].rates = sorted(formats[place].rates + format.rates)
                    } else {
                        places[key] = formats.count
                        formats.append(format)
                    }
                }
            }
        }
        return formats
    }

    private static func pixelFormats(_ value: FieldValue?) -> [String?] {
        guard let value else { return [nil] }
        return value.alternatives.map(\.stringValue)
    }

    // MARK: Ranges

    /// Sizes that people know, for cameras that scale to any size within a range.
    private static let commonSizes = [
        VideoSize(3840, 2160), VideoSize(2560, 1440), VideoSize(1920, 1080), VideoSize(1280, 720), VideoSize(1280, 960),
        VideoSize(1024, 768), VideoSize(800, 600), VideoSize(640, 480), VideoSize(640, 360), VideoSize(320, 240),
    ]

    /// Each pair of fixed values; of ranges the largest size and the common ones within.
    static func sizes(width: FieldValue?, height: FieldValue?) -> [VideoSize] {
        guard let width, let height else { return [] }
        if let width = width.intValue, let height = height.intValue { return [VideoSize(width, height)] }
        let largest = VideoSize(width.largest ?? 0, height.largest ?? 0)
        // A range up to the type's end says nothing about the camera.
        let own = largest.width <= 16384 && largest.height <= 16384 && largest.pixels > 0 ? [largest] : []
        let common = commonSizes.filter { width.admits($0.width) && height.admits($0.height) && $0 != largest }
        return own + common
    }

    /// Rates that people know, for cameras that take any rate within a range.
    private static let commonRates = [
        Fraction(120), Fraction(100), Fraction(90), Fraction(60), Fraction(60000, 1001), Fraction(50), Fraction(30),
        Fraction(30000, 1001), Fraction(25), Fraction(24), Fraction(24000, 1001), Fraction(20), Fraction(15),
        Fraction(10),
        Fraction(5), Fraction(1),
    ]

    /// The fastest first; of a range its fastest and the common ones within. A variable rate (0/1) is none.
    static func rates(_ value: FieldValue?) -> [Fraction] {
        let rates = (value?.alternatives ?? []).flatMap { value -> [Fraction] in
            switch value {
            case .fraction(let rate): return [rate.reduced]
            case .fractionRange(let low, let high):
                let common = commonRates.filter {
                    low.doubleValue <= $0.doubleValue && $0.doubleValue <= high.doubleValue
                }
                // A range up to the type's end says nothing about the camera.
                return (high.doubleValue <= 1000 ? [high.reduced] : []) + common
            default: return []
            }
        }
        return sorted(rates.filter { $0.doubleValue > 0 })
    }

    private static func sorted(_ rates: [Fraction]) -> [Fraction] {
        Array(Set(rates)).sorted { $0.doubleValue > $1.doubleValue }
    }
}

extension FieldValue {
    fileprivate var largest: Int? {
        switch self {
        case .int(let value): Int(value)
        case .intRange(_, let high, _): high
        case .list(let values): values.compactMap(\.largest).max()
        default: nil
        }
    }

    fileprivate func admits(_ value: Int) -> Bool {
        switch self {
        case .int(let own): own == value
        case .intRange(let low, let high, let step): (low...high).contains(value) && (value - low) % max(1, step) == 0
        case .list(let values): values.contains { $0.admits(value) }
        default: false
        }
    }
}
