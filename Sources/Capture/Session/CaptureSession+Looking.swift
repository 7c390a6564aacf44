import Encoding
package import GStreamer
import Threads

/// What the devices deliver, for whoever looks: before, beside and without a recording.
extension CaptureSession {
    /// The main camera's next raw frame, copied, so that its buffer goes back to the device. `nil` where none comes in time, or
    /// where the camera's frames stay compressed.
    package func frame(within seconds: Double) async -> Sample? {
        guard let camera = running?.video.first, camera.plan.encoding == nil,
            let frame = try? await camera.nextFrame(within: seconds)
        else { return nil }
        return Sample(frame.buffer.copied(), frame.caps)
    }

    /// How loud the microphone was in each interval, until the reader ends; `nil` where nothing came from it.
    package func levels(every interval: Duration) -> AsyncStream<AudioLevel?> {
        let (levels, continuation) = AsyncStream.makeStream(of: AudioLevel?.self, bufferingPolicy: .bufferingNewest(1))
        guard let microphone = running?.audio.first else {
            continuation.finish()
            return levels
        }
        let meter = Locked(LevelMeter(channels: microphone.plan.channels))
        let key = microphone.listen { chunk in meter.withLock { $0.add(chunk.samples) } }
        let reading = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: interval)
                continuation.yield(meter.withLock { $0.read() })
            }
        }
        continuation.onTermination = { _ in
            reading.cancel()
            microphone.unlisten(key)
        }
        return levels
    }
}
