package import Encoding
import Errors
import GStreamer

extension VideoSourcePlan {
    /// Plans several cameras so that the machine keeps up with all: a camera whose size may be chosen is opened in a smaller one where they
    /// would be too much together.
    ///
    /// - Parameters:
    ///   - wanted: the main one first.
    ///   - settings: of the composed movie, and of each camera's own.
    /// - Throws: ``RushesError`` if a camera has no such format.
    package static func plans(
        _ wanted: [(source: VideoSource, request: FormatRequest)], settings: MovieSettings, eachCamera: MovieSettings?,
        container: Container, cores: MachineCores = .all
    ) throws -> [VideoSourcePlan] {
        let largest = try wanted.map { try VideoSourcePlan($0.source, $0.request) }
        guard wanted.count > 1 else { return largest }
        let tables = try EncoderTables(PipelineFiles.find())
        var (plans, requests) = (largest, wanted.map(\.request))
        func isTooMuch() -> Bool {
            let cost = CaptureCost(
                plans, settings: settings, eachCamera: eachCamera, container: container, cores: cores)
            return cost.map { !$0.fits(tables) } ?? false
        }
        while isTooMuch() {
            // The one with the most pixels a second first.
            let open = plans.indices.filter { wanted[$0].request.size == nil && plans[$0].smallerSize != nil }
            guard let next = open.max(by: { plans[$0].pixelsPerSecond < plans[$1].pixelsPerSecond }),
                let size = plans[next].smallerSize
            else { return largest }
            requests[next].size = size
            plans[next] = try VideoSourcePlan(wanted[next].source, requests[next])
            plans[next].summary +=
                ", as \(cores.count == 1 ? "one core" : "\(cores.count) cores") would not keep up with more"
        }
        return plans
    }

    private var pixelsPerSecond: Double { Double(format?.size.pixels ?? 0) * (rate?.doubleValue ?? 30) }

    /// The next smaller one that the camera has at this rate, but none that is too small to be chosen unasked.
    private var smallerSize: VideoSize? {
        guard let format, let rate else { return nil }
        return formats.filter {
            $0.size.pixels < format.size.pixels && $0.size.pixels >= VideoSize(640, 360).pixels
                && $0.rates.contains { $0.doubleValue >= rate.doubleValue - 0.05 }
        }.map(\.size).max { $0.pixels < $1.pixels }
    }
}

extension CaptureCost {
    /// Before a camera is opened; `nil` where one does not say what its frames will be.
    init?(
        _ plans: [VideoSourcePlan], settings: MovieSettings, eachCamera: MovieSettings?, container: Container,
        cores: MachineCores
    ) {
        var cameras: [Camera] = []
        for plan in plans {
            guard let format = plan.format, let rate = plan.rate else { return nil }
            cameras.append(
                Camera(
                    name: plan.name, size: format.size, rate: rate, encoding: format.encoding, formats: plan.formats))
        }
        self.init(
            cameras: cameras, settings: settings, eachCamera: eachCamera, container: container, cores: cores)
    }
}
