package import Errors
package import GStreamer

/// The mode in which a camera is opened.
package struct FormatChoice: Sendable, Hashable {
    /// One of the camera's formats.
    package var format: CaptureFormat
    /// Frames a second, one of the format's rates.
    package var rate: Fraction
    /// The rate asked for, where the camera has only faster ones: frames are to be dropped on a grid of this many a second.
    package var dropToRate: Fraction?

    /// Chooses among a camera's formats.
    ///
    /// A size or a rate that is asked for must be there (a rate lower than all is had by dropping frames). What is left
    /// open becomes the best up to 1920×1080 at 30: smooth before large, large before fast, raw before compressed, and
    /// among the raw ones the format that needs the least conversion.
    /// - Throws: ``RushesError`` naming the nearest modes that the camera has.
    package init(of device: CaptureDevice, _ request: FormatRequest) throws(RushesError) {
        var modes = device.formats.flatMap { format in format.rates.map { CameraMode(format: format, rate: $0) } }
        guard !modes.isEmpty else {
            throw RushesError(
                .unsupportedFormat, on: device.name,
                "\(device.name) offers no format with a fixed frame rate that can be recorded; pick another camera\(Term.byCamera)"
            )
        }
        if request.copiesStream {
            modes.removeAll { $0.format.encoding == .raw }
            guard !modes.isEmpty else {
                throw RushesError(
                    .unsupportedFormat, on: device.name,
                    "\(device.name) has no compressed stream to copy; choose a codec\(Term.byVideoCodec)")
            }
        }
        let fitting = modes.filter { $0.fits(request) }
        guard let best = fitting.max(by: { $0.score(request).lexicographicallyPrecedes($1.score(request)) }) else {
            throw RushesError(
                .unsupportedFormat, on: device.name, NearestModes(among: modes, to: request).sentence(for: device.name))
        }
        format = best.format
        rate = best.rate
        dropToRate = request.rate.flatMap { best.rate.isSameRate(as: $0) ? nil : $0 }
    }

    /// Size and rate, such as "1280×720 at 29.97".
    package var words: String { CameraMode(format: format, rate: rate).words }
}

/// A format at one of its rates.
struct CameraMode: Hashable {
    var format: CaptureFormat
    var rate: Fraction

    var words: String { "\(format.size) at \(rate.rateText)" }

    func fits(_ request: FormatRequest) -> Bool {
        if let size = request.size, format.size != size { return false }
        guard let asked = request.rate else { return true }
        return rate.isSameRate(as: asked) || rate.doubleValue > asked.doubleValue
    }
}
