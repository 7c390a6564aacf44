import Capture
import Rushes

/// Turns movies and photos as the machine is held: --rotation auto.
struct MachineRotation: Sendable {
    private let coordinator: RotationCoordinator

    /// Measures how the machine is held; says where that cannot be done.
    ///
    /// - Returns: `nil` where it is not wanted, or there is no accelerometer.
    static func measured(_ request: RecordingRequest) async -> MachineRotation? {
        guard request.turnsWithMachine, let camera = request.camera else { return nil }
        let coordinator = RotationCoordinator(position: camera.position)
        if await coordinator.isAvailable() { return MachineRotation(coordinator: coordinator) }
        StandardStreams.printNote(
            "rushes: No accelerometer can be read here, so the movie is not rotated; iio-sensor-proxy reads one where there is one."
        )
        return nil
    }

    var rotation: MovieOrientation.Rotation { coordinator.videoRotationAngleForHorizonLevelCapture }

    /// Tells a recording that waits for its start of each turn, until cancelled.
    func follow(_ recording: Recording) -> Task<Void, Never> {
        let rotations = coordinator.rotations()
        recording.setRotation(rotation)
        return Task { for await rotation in rotations { recording.setRotation(rotation) } }
    }
}
