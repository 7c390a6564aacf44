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
    /// As large as the first frame that was shown.
    private let window = Locked<PreviewWindow?>(nil)
    private let meter = Locked<(text: Element?, task: Task<Void, Never>?)>((nil, nil))

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    ///
    /// - Parameter title: of the window.
    public init(title: String = "Rushes") { self.title = title }

    deinit { detach() }

    /// - Throws: ``RushesError`` if it is another session's, or there is no display or nothing to show frames with.
    func attach(to session: CaptureSession) throws {
        try Self.checkDisplay()
        let new = try attached.withLock { attached throws(RushesError) -> FrameBranch? in
            guard try attached.own.set(session) else { return nil }
            window.withLock { $0 = nil }
            let branch = FrameBranch(session.frames) {
                [title, window, meter] caps, orientation throws(GStreamerError) in
                let window = try window.withLock { window throws(GStreamerError) in
                    if let window { return window }
                    let new = try PreviewWindow(PreviewPipeline.shown(caps, orientation), title: title)
                    window = new
                    return new
                }
                let pipeline = try PreviewPipeline.make(caps, orientation, in: window)
                meter.withLock { $0.text = pipeline.bin.element(named: PreviewPipeline.meter) }
                return pipeline
            } onEnd: { [weak self] error in
                log.debug("the preview is over", metadata: ["error": "\(error)"])
                self?.detach()
            }
            attached.branch = branch
            return branch
        }
        guard let new else { return }
        new.begin()
        let levels = Task { [meter, audio = session.audio] in
            for await levels in audio.levels(every: .milliseconds(100)) {
                guard let level = AudioLevel(joining: levels), let text = meter.withLock({ $0.text }) else { continue }
                try? text.set("text", to: .text(PreviewPipeline.words(level)))
            }
        }
        meter.withLock { $0.task = levels }
    }

    /// Closes the window. Another is shown where it is added again.
    func detach() {
        let branch = attached.withLock { attached in
            defer { attached = (OwnSession(), nil) }
            return attached.branch
        }
        branch?.end()
        window.withLock { $0 }?.close()
        meter.withLock { meter in
            meter.task?.cancel()
            meter = (nil, nil)
        }
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
