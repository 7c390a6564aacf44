import GStreamer

extension CameraMode {
    /// How well the mode answers a request: compared number by number, the first difference decides, more is better.
    func score(_ request: FormatRequest) -> [Double] {
        let speed = rate.doubleValue
        let wanted = request.rate?.doubleValue ?? 30
        let isExact = request.rate.map { rate.isSameRate(as: $0) } ?? false
        let fitsScreen =
            request.size != nil || (format.width <= 1920 && format.height <= 1080)
            || (format.height <= 1920 && format.width <= 1080)
        return [
            // An infrared frame only where there is no other.
            format.pixelFormat?.hasPrefix("GRAY") == true ? 0 : 1,
            // A rate that is asked for, before the next faster one.
            isExact ? 1 : 0,
            // 24 a second look smooth; below, every frame more matters more than size.
            min(speed, 24, wanted),
            // The largest up to 1080p; if all are larger, the smallest of them.
            fitsScreen ? Double(format.size.pixels) : -Double(format.size.pixels),
            // As fast as wanted, then no faster than needed.
            min(speed, wanted), -speed,
            // Depth, when 10 bits are asked for; then what costs least on its way to an encoder.
            -(request.copiesStream ? copyCost : conversionCost(bitDepth: request.bitDepth)),
        ]
    }

    /// Nothing is converted: H.264 has a fifth of the bytes, and every container takes it.
    private var copyCost: Double { format.encoding == .h264 ? 0 : 1 }

    /// What it costs to get from here to planar 4:2:0 of the bit depth, on a scale of its own.
    private func conversionCost(bitDepth: Int) -> Double {
        switch format.encoding {
        case .mjpeg: return 50
        case .h264: return 60
        case .raw: break
        }
        let name = format.pixelFormat ?? ""
        let isDeep = Self.deepFormats.contains(name)
        let kind: Double
        switch name {
        case "I420", "I420_10LE": kind = 0
        case "NV12", "P010_10LE": kind = 0.5
        case "YV12", "NV21", "NV12_10LE32": kind = 1
        case "YUY2", "UYVY", "YVYU", "VYUY", "Y42B", "NV16", "NV61", "I422_10LE", "v210", "Y210", "UYVP": kind = 2
        case "Y444", "NV24", "Y444_10LE", "Y410": kind = 4
        case "GRAY8", "GRAY16_LE": kind = 9
        default: kind = 6
        }
        return kind + (isDeep == (bitDepth > 8) ? 0 : 20)
    }

    private static let deepFormats: Set<String> = [
        "I420_10LE", "P010_10LE", "NV12_10LE32", "I422_10LE", "v210", "Y210", "UYVP", "Y444_10LE", "Y410",
    ]
}
