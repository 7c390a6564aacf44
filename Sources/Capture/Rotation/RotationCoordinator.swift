package import DesktopBus
public import MediaTypes
import Threads

/// Tells how far a camera's frames are to be turned so that the horizon is level, however the machine is held: as
/// `AVCaptureDevice.RotationCoordinator`, of the accelerometer that iio-sensor-proxy reads. Of a machine that lies flat the angles stay
/// what they were before. The accelerometer is released with this object.
public final class RotationCoordinator: Sendable {
    private let position: CaptureDevice.Position?
    private let accelerometer: Accelerometer
    private let listeners: Listeners<DeviceOrientation>

    /// Begins to read the accelerometer.
    ///
    /// - Parameter camera: a camera whose position is unknown is taken to sit above the screen, facing the person in front of it.
    public convenience init(camera: CaptureDevice) { self.init(position: camera.position) }

    package init(position: CaptureDevice.Position?, bus: BusAddress = .system) {
        let listeners = Listeners<DeviceOrientation>()
        (self.position, self.listeners) = (position, listeners)
        accelerometer = Accelerometer(bus) { listeners.send($0) }
    }

    /// Waits for the first measurement: a second and a half where there is a service, five for one that does not answer.
    ///
    /// - Returns: whether the machine has an accelerometer; without one the angles stay zero.
    public func isAvailable() async -> Bool { await accelerometer.isMeasured() }

    /// How far players have to turn what is recorded now.
    public var videoRotationAngleForHorizonLevelCapture: MovieOrientation.Rotation {
        rotation(accelerometer.orientation)
    }

    /// How far a preview has to turn what it shows now.
    ///
    /// - Parameter screenRotation: how far the desktop has turned all that it shows, clockwise, as seen on a screen that stands upright;
    ///   `nil` where it keeps that upright by itself.
    public func videoRotationAngleForHorizonLevelPreview(
        screenRotation: MovieOrientation.Rotation? = nil
    ) -> MovieOrientation.Rotation {
        let (orientation, capture) = (accelerometer.orientation ?? .normal, rotation(accelerometer.orientation))
        guard let screenRotation, position != .external else { return capture }
        return capture.turned(by: -orientation.turn.rawValue - screenRotation.rawValue)
    }

    /// Each new angle for what is recorded from then on.
    public func rotations() -> AsyncStream<MovieOrientation.Rotation> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MovieOrientation.Rotation.self, bufferingPolicy: .bufferingNewest(1))
        let key = listeners.add { [position] in continuation.yield($0.rotation(of: position)) }
        continuation.onTermination = { [weak listeners] _ in listeners?.remove(key) }
        return stream
    }

    private func rotation(_ orientation: DeviceOrientation?) -> MovieOrientation.Rotation {
        orientation?.rotation(of: position) ?? .none
    }
}
