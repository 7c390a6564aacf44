package import GStreamer
import MediaTypes
import Threads

/// A look through a timelapse's camera before the shots begin.
package enum TimelapsePreview {
    /// Opens the camera, lets its exposure settle and takes a frame; the camera is closed then.
    ///
    /// - Throws: ``RushesError`` if the camera cannot be had or gives no frame; `CancellationError`.
    package static func frame(
        find: @escaping @Sendable () async throws -> VideoSourcePlan
    ) async throws -> (frame: Sample, camera: String) {
        let last = Locked<CaptureInput.TimedSample?>(nil)
        let camera = TimelapseCamera(find: find, baseTime: Pipeline.systemTime) { _ in
            true
        } onFrame: { frame in
            last.withLock { $0 = frame }
        }
        let (first, plan) = try await camera.open()
        let wait: Result<Void, any Error>
        do { wait = .success(try await Task.sleep(for: Duration(TimelapseCamera.settling))) } catch {
            wait = .failure(error)
        }
        let frame = last.withLock { $0 } ?? first
        let sample = Sample(frame.buffer.copied(), frame.caps)
        await camera.close()
        try wait.get()
        return (sample, plan.summary)
    }
}
