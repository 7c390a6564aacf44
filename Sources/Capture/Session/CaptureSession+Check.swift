import Encoding
import Errors

extension CaptureSession.Configuration {
    /// How many cameras can be composed, and how many microphones recorded.
    static let (mostCameras, mostMicrophones) = (4, 4)

    /// - Throws: ``RushesError`` if the devices cannot run together.
    func check() throws(RushesError) {
        try checkMicrophones()
        try checkCameras()
    }

    private func checkMicrophones() throws(RushesError) {
        guard microphones.count <= Self.mostMicrophones else {
            throw RushesError(
                .badSource,
                "Up to \(Self.mostMicrophones) microphones can be recorded together, not \(microphones.count).")
        }
        var sources: Set<String> = []
        for microphone in microphones {
            guard !microphone.gain.isNaN else {
                throw RushesError(
                    .invalidSettings, on: microphone.name, "The gain of \(microphone.name) is not a number.")
            }
            guard let source = microphone.microphone?.source, !sources.insert(source).inserted else { continue }
            throw RushesError(
                .badSource, on: microphone.name,
                "\(microphone.name) is chosen twice; each microphone can be in the movie once.")
        }
    }

    private func checkCameras() throws(RushesError) {
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
