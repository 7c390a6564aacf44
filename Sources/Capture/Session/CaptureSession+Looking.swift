import Encoding
package import GStreamer
package import MediaTypes
import Threads

/// What the devices deliver, for whoever looks: before, beside and without a recording.
extension CaptureSession {
    /// The main camera's next raw frame, copied, so that its buffer goes back to the device. `nil` where none comes in time, or
    /// where the camera's frames stay compressed. With it, how the camera hangs.
    package func frame(within limit: Duration) async -> (sample: Sample, orientation: MovieOrientation)? {
        guard let camera = running?.video.first, camera.plan.encoding == nil,
            let frame = try? await camera.nextFrame(within: limit)
        else { return nil }
        return (Sample(frame.buffer.copied(), frame.caps), camera.plan.orientation)
    }

    /// The main camera's controls while it runs.
    package var cameraControls: CameraControls? { running?.video.first?.controls }

    /// How loud each microphone is set in its sound server; `nil` where none says.
    package var microphoneVolumes: [MicrophoneVolume?] {
        running?.audio.map { ($0.input as? PulseMicrophone)?.volume } ?? []
    }

    /// How loud each microphone was in each interval, until the reader ends; `nil` where nothing came from it. Ends at once without a
    /// microphone.
    package func levels(every interval: Duration) -> AsyncStream<[AudioLevel?]> {
        running?.audio.isEmpty == false ? audio.levels(every: interval) : AsyncStream { nil }
    }
}
