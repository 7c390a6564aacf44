import Composition
import FileSystem
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import Threads

/// Writes a small JPEG of the frame that is just being exported, every few seconds, and never holds anything up for it.
final class Thumbnailer: Sendable {
    private struct State {
        var isBusy = false
        var latest: ContinuousClock.Instant?
        var count = 0
    }

    private let path: FilePath
    private let orientation: MovieOrientation
    private let state = Locked(State())
    private let onWritten: @Sendable (FilePath) -> Void

    private static let interval = Duration.seconds(3)
    /// The first ones: many movies begin black, and a short export would end with that.
    private static let (first, firstInterval) = (4, Duration.milliseconds(500))

    /// - Parameter orientation: how players show the frames that are offered.
    init(_ path: FilePath, _ orientation: MovieOrientation, onWritten: @escaping @Sendable (FilePath) -> Void) {
        (self.path, self.orientation, self.onWritten) = (path, orientation, onWritten)
    }

    func offer(_ sample: Sample) {
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            let interval = state.count < Self.first ? Self.firstInterval : Self.interval
            guard !state.isBusy, state.latest.map({ now - $0 >= interval }) ?? true else { return false }
            (state.isBusy, state.latest, state.count) = (true, now, state.count + 1)
            return true
        }
        guard isDue else { return }
        let hasBegun = OwnThread.run("rushes-thumbnail") { [self] in
            write(sample)
            state.withLock { $0.isBusy = false }
        }
        if !hasBegun { state.withLock { $0.isBusy = false } }
    }

    /// A frame that cannot be drawn or written is no reason to say anything: the next one may be.
    private func write(_ sample: Sample) {
        guard let frame = try? FrameThumbnail.jpeg(of: sample, orientation),
            let bytes = try? frame.withBytes({ Data($0) })
        else { return }
        if (try? AtomicFile.replace(path, with: bytes)) != nil { onWritten(path) }
    }
}
