import Dispatch
import Foundation
import Imaging
import MediaTypes
import Photos
import Threads

/// Looks at all photos, small ones, to know their light.
struct PhotoLights: Sendable {
    let photos: [PhotoFile]
    /// What of each is looked at, as it is shown; nil: all.
    let region: FrameArea?
    let status: ExportStatus

    /// The mean linear light of each; nil where it cannot be decoded. Blocks.
    ///
    /// - Throws: `CancellationError`.
    func measure() throws -> [Double?] {
        let (lights, next) = (Locked<[Int: Double]>([:]), Locked(0))
        let threads = min(8, max(1, ProcessInfo.processInfo.activeProcessorCount))
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            let meter = PhotoLightMeter(region: region)
            while status.mayContinue() {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard photos.indices.contains(index) else { return }
                if let light = meter.light(of: photos[index]) { lights.withLock { $0[index] = light } }
                status.report(.began(.init(step: "measuring the light of photo \(index + 1) of \(photos.count)")))
            }
        }
        if status.isStopped { throw CancellationError() }
        return lights.withLock { lights in photos.indices.map { lights[$0] } }
    }
}

/// Tells how light photos are; one thread at a time may use it.
private final class PhotoLightMeter {
    private let decoder = PhotoDecoder()
    private let region: FrameArea?

    init(region: FrameArea?) { self.region = region }

    /// nil where it cannot be decoded. Blocks.
    func light(of photo: PhotoFile) -> Double? {
        let stored = region?.stored(photo.orientation.rotation, isMirrored: photo.orientation.isMirrored)
        return try? decoder.withFrame(of: photo, atLeast: { _ in VideoSize(1, 1) }) { frame in
            FrameLight.mean(of: frame, in: stored?.crop(in: frame.format.size))
        }
    }
}
