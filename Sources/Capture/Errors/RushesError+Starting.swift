import Errors
import GStreamer

extension RushesError {
    /// What GStreamer said when a V4L2 camera was found and opened, but did not begin to stream; `nil` for everything else.
    ///
    /// A USB bus gives each camera room for its mode as it starts, and a driver whose camera gets none answers "No space left on device".
    /// v4l2src (1.22) writes that into its log alone, and reports that its buffers could not be used.
    init?(starting plan: VideoSourcePlan, _ error: GStreamerError) {
        func says(_ words: String) -> Bool { error.message.contains(words) || error.debug.contains(words) }
        guard plan.backend == .v4l2, let format = plan.format, let rate = plan.rate,
            says("No space left on device") || says("Buffer pool activation failed")
                || says("Failed to allocate required memory")
        else { return nil }
        let mode = CameraMode(format: format, rate: rate).words
        let cure = plan.lighterMode.map { "choose a smaller size of it, such as \($0.words), or plug it" } ?? "plug it"
        self.init(
            .deviceFailed, on: plan.name,
            "\(plan.name) does not begin to deliver \(mode): its USB bus may have no room for that beside another camera; "
                + "\(cure) into another port (it says: \(error.message))",
            underlying: error)
    }
}

extension VideoSourcePlan {
    /// The largest mode that needs at most half of the bus that this one does.
    fileprivate var lighterMode: CameraMode? {
        guard let format, let rate else { return nil }
        func load(_ mode: CameraMode) -> Double {
            // Compressed frames are about a tenth of raw ones.
            Double(mode.format.size.pixels) * mode.rate.doubleValue * (mode.format.encoding == .raw ? 1 : 0.1)
        }
        let own = CameraMode(format: format, rate: rate)
        return formats.flatMap { format in format.rates.map { CameraMode(format: format, rate: $0) } }
            .filter { load($0) <= load(own) / 2 && $0.format.size.pixels < format.size.pixels }
            .max { ($0.format.size.pixels, $0.rate.doubleValue) < ($1.format.size.pixels, $1.rate.doubleValue) }
    }
}
