package import Errors
package import MediaTypes

extension VideoSourcePlan {
    /// How a camera is opened for shots: of a device the mode that serves them, see ``FormatRequest/init(shotsEvery:of:size:bitDepth:)``.
    ///
    /// - Throws: ``RushesError`` if it has no such format.
    package init(
        _ source: VideoSource, shotsEvery interval: MediaTime, size: VideoSize?, bitDepth: Int
    ) throws(RushesError) {
        if case .device(let device) = source, device.backend != .test {
            try self.init(source, FormatRequest(shotsEvery: interval, of: device, size: size, bitDepth: bitDepth))
        } else {
            try self.init(source, FormatRequest(size: size, bitDepth: bitDepth))
        }
    }
}

extension VideoSource {
    /// The same camera as it is to be found now: one that was plugged in again may have another address.
    func foundAgain() async -> VideoSource {
        guard case .device(let device) = self, device.backend != .test else { return self }
        let devices = await DeviceDiscovery(includesTestSources: false).devices()
        return devices.first { $0.id == device.id }.map { .device($0) } ?? self
    }
}
