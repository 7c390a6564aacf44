import Capture
import Composition
import FileSystem
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import Rushes
import SystemPackage
import Threads

/// The frame of a recording that those who watch it from elsewhere see: the main camera's, drawn small now and then.
final class RecordingThumbnail: Sendable {
    /// Where it lies, once it is there.
    var path: FilePath? { written.withLock { $0 } }

    private let session: CaptureSession
    private let file: FilePath?
    /// How players turn the movie, beside how the camera hangs.
    private let turn: MovieOrientation
    private let written = Locked<FilePath?>(nil)
    private let drawing = Locked<(isBusy: Bool, latest: ContinuousClock.Instant?)>((false, nil))

    /// Seldom: a machine that records has other things to do.
    private static let interval = Duration.seconds(5)

    init(_ session: CaptureSession, _ request: RecordingRequest) {
        self.session = session
        // Of one camera it is how that hangs.
        turn = request.cameras.count > 1 ? request.settings.orientation : .upright
        file = request.camera != nil ? ActivityJournal().thumbnailPath() : nil
    }

    /// Draws the next frame if the last one is old; returns at once. What cannot be drawn or written is left out.
    func refresh() {
        guard let file else { return }
        let isDue = drawing.withLock { state in
            let now = ContinuousClock.now
            guard !state.isBusy, state.latest.map({ now - $0 >= Self.interval }) ?? true else { return false }
            state = (true, now)
            return true
        }
        guard isDue else { return }
        Task { [self] in
            if let frame = await session.frame(within: .seconds(1)) {
                try? await onOwnThread("rushes-thumbnail") { [self] in
                    let orientation = frame.orientation.followed(by: turn)
                    let jpeg = try FrameThumbnail.jpeg(of: frame.sample, orientation).withBytes { Data($0) }
                    try AtomicFile.replace(file, with: jpeg)
                    written.withLock { $0 = file }
                }
            }
            drawing.withLock { $0.isBusy = false }
        }
    }
}

/// What was said last of a recording, for a while, for those who look from elsewhere.
final class RecordingNotice: Sendable {
    private let last = Locked<(words: String, end: Date)?>(nil)

    /// Seconds.
    private static let duration = 10.0

    var words: String? { last.withLock { $0.flatMap { $0.end > Date() ? $0.words : nil } } }

    func tell(_ words: String) { last.withLock { $0 = (words, Date().addingTimeInterval(Self.duration)) } }
}
