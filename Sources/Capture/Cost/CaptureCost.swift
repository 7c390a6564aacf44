import Encoding
import Errors
import GStreamer

/// What a recording of several cameras needs of the cores, as far as it is known before it begins: AVFoundation's `hardwareCost`, in
/// words. Pure.
struct CaptureCost: Sendable {
    struct Camera: Sendable, Equatable {
        var name: String
        var size: VideoSize
        var rate: Fraction
        /// As what its frames come.
        var encoding = CaptureFormat.Encoding.raw
        /// What else it has.
        var formats: [CaptureFormat] = []
    }

    /// The main one first, whose size and rate the composed movie has.
    var cameras: [Camera]
    var settings: MovieSettings
    /// Of each camera's own movie; `nil` for none.
    var eachCamera: MovieSettings?
    let container: Container
    let cores: MachineCores

    /// The composed movie, then each camera's own.
    private var requests: [VideoRequest] {
        func request(_ camera: Camera, _ settings: MovieSettings) -> VideoRequest {
            var request = VideoRequest(
                codec: settings.videoCodec, profile: settings.profile, container: container, size: camera.size,
                rate: camera.rate, bitDepth: settings.bitDepth, control: settings.rateControl, cores: cores.count,
                freeCores: cores.free, coreSpeed: cores.speed)
            request.requiredSpeed = settings.encoderSpeed
            return request
        }
        return cameras.prefix(1).map { request($0, settings) }
            + (eachCamera.map { each in cameras.map { request($0, each) } } ?? [])
    }

    /// Cores that decoding and composing take.
    private var preparation: Double {
        cameras.reduce(0) { sum, camera in
            let cost =
                switch camera.encoding {
                case .raw: Self.drawing
                case .mjpeg: Self.drawing + Self.decodingJPEG
                case .h264: Self.drawing + Self.decodingH264
                }
            return sum + cost * Double(camera.size.pixels) * camera.rate.doubleValue / 1e9
        } / max(cores.speed, 0.001)
    }

    /// Processor nanoseconds a pixel, on the encoder tables' machine: twelve photos of 12 megapixels by jpegdec in 0.74 s; a 720p clip by
    /// avdec_h264, not measured there, taken to be as dear; a frame brought into another, benchmarks/compose.md, with its copy.
    private static let (decodingJPEG, decodingH264, drawing) = (5.1, 5.0, 0.3)

    /// How the encoders share the cores.
    ///
    /// - Throws: ``RushesError`` with the cure if there is none for one of the movies.
    func shared(_ tables: EncoderTables, installed: InstalledElements = .registry) throws(RushesError) -> SharedCores {
        try SharedCores(requests, reserving: preparation, tables, installed: installed)
    }

    /// Where the cores do not keep up, a sentence that says so and which single change would help.
    func words(_ tables: EncoderTables, installed: InstalledElements = .registry) -> String? {
        guard let shared = try? shared(tables, installed: installed), !shared.isRealTime else { return nil }
        let movies = requests.count == 1 ? "This movie needs" : "These \(requests.count) movies need"
        let need = "\(movies) about \(shared.load.tenths) of \(cores.count == 1 ? "a core" : "\(cores.count) cores")"
        let given = "\(shared.limit.tenths) can be given to \(requests.count == 1 ? "it" : "them")"
        let taken = Double(cores.count) - cores.free
        let others = taken > Double(cores.count) / 4 ? ", as other programs take \(taken.tenths)" : ""
        let cure = changes.first { applying($0).fits(tables, installed) }
        return
            "\(need), and \(given)\(others): frames may be dropped; "
            + (cure.map { "\($0.words(cameras)) it fits" } ?? "no single change makes it fit") + "."
    }

    func fits(_ tables: EncoderTables, _ installed: InstalledElements = .registry) -> Bool {
        (try? shared(tables, installed: installed).isRealTime) ?? false
    }
}

extension CaptureCost {
    /// What a person can change.
    enum Change: Sendable, Equatable {
        case codec(VideoCodec), codecOfEach(VideoCodec)
        case mode(camera: Int, VideoSize, Fraction, CaptureFormat.Encoding)
        case onlyComposed
    }

    /// What can be changed, the least missed first.
    var changes: [Change] {
        var changes: [Change] = []
        if let each = eachCamera?.videoCodec, each != .h264 { changes.append(.codecOfEach(.h264)) }
        if let own = settings.videoCodec, own != .h264 { changes.append(.codec(.h264)) }
        changes += cameras.indices.reversed().flatMap(modes)
        if eachCamera != nil { changes.append(.onlyComposed) }
        return changes
    }

    /// What a camera has that is smaller or slower, the nearest first; but no slower than 15 frames a second, nor smaller than is of use.
    private func modes(of camera: Int) -> [Change] {
        let own = cameras[camera]
        let modes = own.formats.flatMap { format in format.rates.map { (format, $0) } }.filter { format, rate in
            let (pixels, speed) = (format.size.pixels, rate.doubleValue)
            return pixels <= own.size.pixels && speed <= own.rate.doubleValue + 0.01
                && speed >= min(15, own.rate.doubleValue)
                && pixels >= min(Self.smallest, own.size.pixels)
                && (format.size != own.size || !rate.isSameRate(as: own.rate))
        }
        let sorted = modes.sorted { left, right in
            let (first, second) = (left.0.size.pixels, right.0.size.pixels)
            if left.1.doubleValue != right.1.doubleValue, first == second {
                return left.1.doubleValue > right.1.doubleValue
            }
            return first > second
        }
        return sorted.map { .mode(camera: camera, $0.0.size, $0.1, $0.0.encoding) }
    }

    /// Pixels of a frame that is still worth recording: 320×180.
    private static let smallest = 57_600

    func applying(_ change: Change) -> CaptureCost {
        var cost = self
        switch change {
        case .codec(let codec): (cost.settings.videoCodec, cost.settings.profile) = (codec, nil)
        case .codecOfEach(let codec):
            cost.eachCamera?.videoCodec = codec
            cost.eachCamera?.profile = nil
        case .onlyComposed: cost.eachCamera = nil
        case .mode(let camera, let size, let rate, let encoding):
            (cost.cameras[camera].size, cost.cameras[camera].rate) = (size, rate)
            cost.cameras[camera].encoding = encoding
        }
        return cost
    }
}

extension CaptureCost.Change {
    fileprivate func words(_ cameras: [CaptureCost.Camera]) -> String {
        switch self {
        case .codec(let codec): "with \(Term.videoCodec) \(codec.rawValue)"
        case .codecOfEach(let codec): "with \(Term.eachCameraCodec) \(codec.rawValue)"
        case .mode(let camera, let size, let rate, _): "with \(cameras[camera].name) at \(size) and \(rate.rateText)"
        case .onlyComposed: "without \(Term.eachCamera)"
        }
    }
}

extension Double {
    /// "0.8".
    fileprivate var tenths: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
