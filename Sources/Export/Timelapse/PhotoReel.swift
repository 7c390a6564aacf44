import Foundation
import GStreamer
import Photos
import Threads

/// Decodes photos on all processors, as far as their memory goes, and hands them out in order, a few ahead at most.
///
/// `@unchecked Sendable` because the condition's lock guards what changes.
final class PhotoReel: @unchecked Sendable {
    private enum Outcome {
        case frame(Buffer)
        case failure(String)
        case leftOut
    }

    private let photos: [PhotoFile]
    private let painting: PhotoPainting
    private let condition = NSCondition()
    private var window: OrderedWindow<Outcome>
    private var isStopped = false
    private var lost: [(photo: PhotoFile, reason: String)] = []
    private let threads: Int
    private let light: LightPlan

    /// - Parameter light: what becomes of each photo's light, and which are left out.
    init(_ photos: [PhotoFile], _ painting: PhotoPainting, _ light: LightPlan) {
        (self.photos, self.painting, self.light) = (photos, painting, light)
        let frame = painting.layout.byteCount
        threads = Self.threads(
            of: ProcessInfo.processInfo.activeProcessorCount, frame: frame,
            largest: photos.lazy.compactMap { $0.size?.pixels }.max() ?? 0)
        // One more for each that waits for the encoder keeps all of them busy; of large ones it takes one, and each is megabytes.
        window = OrderedWindow(count: photos.count, limit: threads + (frame > Self.largeFrame ? 1 : 2))
    }

    /// How many photos are decoded at once: one on each processor, where they all find place in memory, but two always, as one of them
    /// waits for its file.
    ///
    /// - Parameters:
    ///   - frame: bytes of a frame of the movie.
    ///   - largest: pixels of the largest photo.
    static func threads(of processors: Int, frame: Int, largest: Int) -> Int {
        // A photo is decoded to what is at most twice as wide and as high as its frame, with three bytes for two pixels.
        let each = frame + min(largest * 3 / 2, 4 * frame)
        return min(8, max(1, processors), max(2, memory / max(1, each)))
    }

    /// Bytes that the threads' photos and frames take together.
    private static let memory = 160_000_000
    private static let largeFrame = 8_000_000

    /// Photos that could not be shown so far, and why.
    var failures: [(photo: PhotoFile, reason: String)] { condition.withLock { lost } }

    /// Begins to decode on threads of its own, and to hand frames out on another; `end` is called behind the last.
    ///
    /// - Parameter deliver: is given each frame and which photo it is; false ends all. It may block.
    /// - Returns: false where the system has no threads.
    func start(deliver: @escaping @Sendable (Buffer, Int) -> Bool, end: @escaping @Sendable () -> Void) -> Bool {
        let isDelivering = OwnThread.run("rushes-photos") { [self] in
            var photo = 0
            while let outcome = next() {
                if case .frame(let buffer) = outcome, !deliver(buffer, photo) { return stop() }
                photo += 1
            }
            end()
        }
        let started = (0..<threads).filter { _ in OwnThread.run("rushes-photo") { [self] in decode() } }
        guard isDelivering, !started.isEmpty else {
            stop()
            return false
        }
        return true
    }

    /// Ends all threads soon.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
    }

    private func next() -> Outcome? {
        condition.withLock {
            while !isStopped, !window.isDone {
                if let outcome = window.next() {
                    condition.broadcast()
                    return outcome
                }
                condition.wait()
            }
            return nil
        }
    }

    private func decode() {
        let painter = PhotoWorker(painting)
        while let index = begin() {
            let outcome: Outcome
            do {
                outcome =
                    light.flashes.contains(index)
                    ? .leftOut : .frame(try painter.frame(of: photos[index], gain: light.gains[index] ?? 1))
            } catch {
                outcome = .failure("\(error)")
            }
            condition.withLock {
                if case .failure(let reason) = outcome { lost.append((photos[index], reason)) }
                window.finish(index, outcome)
                condition.broadcast()
            }
        }
    }

    private func begin() -> Int? {
        condition.withLock {
            while !isStopped, !window.isBegun {
                if let index = window.begin() { return index }
                condition.wait()
            }
            return nil
        }
    }
}
