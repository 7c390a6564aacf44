import Encoding
package import Errors
import Foundation
import GStreamer
import Logging
import MediaTypes
import Threads

/// Shows a session's frames in a window, with how loud the microphone is: upright, the newest one whenever the window has done with the
/// one before, so that a recording is never held up. Who closes the window closes only that; it is a process of its own, so that no fault of
/// a display or its driver reaches a recording.
public final class PreviewOutput: Sendable {
    private let title: String
    private let attached = Locked<(own: OwnSession, branch: FrameBranch?)>((OwnSession(), nil))
    private let shown = Locked(Shown())

    /// What is shown of a session.
    private struct Shown {
        /// Counts how often the output was added or removed: what was begun before that has come too late.
        var turn = 0
        /// As large as the first frame that was shown.
        var window: PreviewWindow?
        var meter: Element?
        var levels: Task<Void, Never>?

        /// Forgets it all.
        ///
        /// - Returns: what it was.
        mutating func change() -> Shown {
            defer { self = Shown(turn: turn + 1) }
            return self
        }
    }

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    ///
    /// - Parameter title: of the window.
    public init(title: String = "Rushes") { self.title = title }

    deinit { detach() }

    /// - Throws: ``RushesError`` if it is another session's, or there is no display or nothing to show frames with.
    func attach(to session: CaptureSession) throws {
        try Self.checkDisplay()
        let new = try attached.withLock { attached throws(RushesError) -> (FrameBranch, turn: Int)? in
            guard try attached.own.set(session) else { return nil }
            let turn = shown.withLock { shown in
                _ = shown.change()
                return shown.turn
            }
            let branch = FrameBranch(session.frames) {
                [title, shown] caps, orientation throws(GStreamerError) in
                let window = try shown.withLock { shown throws(GStreamerError) in
                    guard shown.turn == turn else {
                        throw GStreamerError(element: "preview", message: "the window is closed")
                    }
                    if let window = shown.window { return window }
                    let window = try PreviewWindow(PreviewPipeline.shown(caps, orientation), title: title)
                    shown.window = window
                    return window
                }
                let pipeline = try PreviewPipeline.make(caps, orientation, in: window)
                let meter = pipeline.bin.element(named: PreviewPipeline.meter)
                shown.withLock { if $0.turn == turn { $0.meter = meter } }
                return pipeline
            } onEnd: { [weak self] branch, error in
                log.debug("the preview is over", metadata: ["error": "\(error)"])
                self?.detach(from: branch)
            }
            attached.branch = branch
            return (branch, turn)
        }
        guard let (branch, turn) = new else { return }
        branch.begin()
        let levels = Task { [shown, audio = session.audio] in
            for await levels in audio.levels(every: .milliseconds(100)) {
                guard let level = AudioLevel(joining: levels), let text = shown.withLock({ $0.meter }) else { continue }
                try? text.set("text", to: .text(PreviewPipeline.words(level)))
            }
        }
        let isLate = shown.withLock { shown in
            guard shown.turn == turn else { return true }
            shown.levels = levels
            return false
        }
        if isLate { levels.cancel() }
    }

    /// Closes the window. Another is shown where it is added again.
    func detach() { detach(from: nil) }

    /// - Parameter failed: the branch that is over; where the output has been added anew since, nothing follows from that.
    private func detach(from failed: FrameBranch?) {
        let (branch, old) = attached.withLock { attached -> (FrameBranch?, Shown?) in
            guard failed == nil || attached.branch === failed else { return (nil, nil) }
            defer { attached = (OwnSession(), nil) }
            return (attached.branch, shown.withLock { $0.change() })
        }
        branch?.end()
        old?.window?.close()
        old?.levels?.cancel()
    }

    /// - Throws: what keeps a window from being shown here, with the cure.
    package static func checkDisplay() throws(RushesError) {
        let environment = ProcessInfo.processInfo.environment
        guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw RushesError(.notRunning, "There is no display to show a preview on; record without one.")
        }
        guard PreviewWindow.isPossible, ElementFactory.exists("autovideosink"),
            ElementFactory.exists("ximagesink") || ElementFactory.exists("waylandsink")
        else {
            throw RushesError(
                .missingPlugin,
                "A preview needs gst-launch-1.0, autovideosink and ximagesink; install gstreamer1.0-tools, gstreamer1.0-plugins-good and gstreamer1.0-x."
            )
        }
    }
}

extension PreviewOutput: CaptureOutput, AttachableOutput {}
