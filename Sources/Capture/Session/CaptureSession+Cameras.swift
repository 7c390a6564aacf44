import Encoding
import Errors

extension CaptureSession.Configuration {
    /// How many cameras can be composed.
    static let mostCameras = 4

    /// - Throws: ``RushesError`` if the cameras cannot run together.
    func check() throws(RushesError) {
        guard cameras.count > 1 else { return }
        guard cameras.count <= Self.mostCameras else {
            throw RushesError(
                .badSource, "Up to \(Self.mostCameras) cameras can be recorded together, not \(cameras.count).")
        }
        var devices: Set<String> = []
        for camera in cameras {
            if let device = camera.device, !devices.insert(device).inserted {
                throw RushesError(
                    .badSource, on: camera.name, "\(camera.name) is chosen twice; each camera can be in the movie once."
                )
            }
            if camera.encoding != nil {
                throw RushesError(
                    .unsupportedFormat, on: camera.name,
                    "The frames of several cameras are composed, so none can be copied as it comes; choose a codec.")
            }
        }
    }
}
