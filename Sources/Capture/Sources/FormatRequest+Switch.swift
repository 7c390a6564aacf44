import GStreamer
package import MediaTypes

extension FormatRequest {
    /// The mode in which a camera takes the place of another one in a movie: its size, else the next larger one, which is made smaller, else the
    /// largest; and its rate where the camera has that.
    ///
    /// - Parameters:
    ///   - plan: of the camera that is followed.
    ///   - size: in pixels, if another one is asked for; the same of `rate`, frames a second.
    package init(
        following plan: VideoSourcePlan, by device: CaptureDevice, size: VideoSize?, rate: Fraction?, bitDepth: Int
    ) {
        self.init(size: size, rate: rate, bitDepth: bitDepth)
        let formats = device.formats.filter { $0.pixelFormat?.hasPrefix("GRAY") != true }
        if size == nil, let wanted = plan.format?.size {
            let sizes = formats.map(\.size)
            let larger = sizes.filter { $0.width >= wanted.width && $0.height >= wanted.height }
            self.size = larger.min { $0.pixels < $1.pixels } ?? sizes.max { $0.pixels < $1.pixels }
        }
        if rate == nil, let wanted = plan.dropToRate ?? plan.rate {
            let rates = formats.filter { self.size == nil || $0.size == self.size }.flatMap(\.rates)
            let isThere = rates.contains { $0.isSameRate(as: wanted) || $0.doubleValue > wanted.doubleValue }
            if isThere { self.rate = wanted }
        }
    }
}
