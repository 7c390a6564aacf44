import GStreamer
import Logging
import MediaTypes
import Threads

/// A pipeline beside a recording that gets a session's newest frame whenever it has done with the one before, and holds nobody up: the
/// others are discarded. It is built when there is a frame, and anew where frames become others.
final class FrameBranch: Sendable {
    /// Of the appsrc at its beginning.
    static let source = "frames"

    private enum Phase {
        case idle
        case building(Caps)
        case running(Caps, Pipeline, AppSource)
        case over
    }

    /// Makes the pipeline for frames that are so, to be shown so.
    typealias Make = @Sendable (Caps, MovieOrientation) throws(GStreamerError) -> Pipeline

    private let phase = Locked(Phase.idle)
    private let frames: SessionFrames
    private let keys = Locked<(frames: Int, changes: Int)?>(nil)
    private let make: Make
    private let onEnd: @Sendable (FrameBranch, GStreamerError) -> Void

    /// - Parameter onEnd: called with it where the pipeline fails, or does not begin; then it is over.
    init(
        _ frames: SessionFrames, make: @escaping Make, onEnd: @escaping @Sendable (FrameBranch, GStreamerError) -> Void
    ) {
        (self.frames, self.make, self.onEnd) = (frames, make, onEnd)
    }

    /// Takes frames from now on, unless it is over already.
    func begin() {
        let keys = frames.listen { [weak self] source in
            if source == nil { self?.rest() }
        } _: { [weak self] in
            self?.receive($0.frame, of: $0.input)
        }
        self.keys.withLock { $0 = keys }
        // Somebody may have ended it meanwhile, who found nothing to be given back.
        if isOver { unlisten() }
    }

    /// Takes no more, and closes the pipeline.
    func end() {
        leave(to: .over)
        unlisten()
    }

    private var isOver: Bool { phase.withLock { if case .over = $0 { true } else { false } } }

    private func unlisten() {
        let keys = keys.withLock { keys in
            defer { keys = nil }
            return keys
        }
        if let keys { frames.unlisten(keys) }
    }

    /// Closes the pipeline until there are frames again.
    private func rest() { leave(to: .idle) }

    private func leave(to next: Phase) {
        let old = phase.withLock { phase -> Pipeline? in
            if case .over = phase { return nil }
            defer { phase = next }
            if case .running(_, let pipeline, _) = phase { return pipeline }
            return nil
        }
        if let old { Task { await old.stop(within: .seconds(2)) } }
    }

    private func receive(_ frame: CaptureInput.TimedSample, of input: any FrameInput) {
        // A compressed stream that is copied is not decoded for this.
        guard frame.caps.first?.name == "video/x-raw" else { return }
        let wanted = phase.withLock { phase -> (old: Pipeline?, AppSource?) in
            switch phase {
            case .building, .over: return (nil, nil)
            case .running(let caps, _, let source) where caps == frame.caps:
                return (nil, source.waitingBuffers == 0 ? source : nil)
            case .idle:
                phase = .building(frame.caps)
                build(frame.caps, input, after: nil)
                return (nil, nil)
            case .running(_, let old, _):
                phase = .building(frame.caps)
                build(frame.caps, input, after: old)
                return (nil, nil)
            }
        }
        guard let source = wanted.1 else { return }
        // A device has few buffers, and stops where they are all held.
        let isLent = (input as? VideoFeed)?.hasFewBuffers ?? false
        let buffer = isLent ? frame.buffer.copied() : frame.buffer
        source.push(buffer.retimed(presentationTime: frame.time, duration: frame.buffer.duration ?? .zero))
    }

    private func build(_ caps: Caps, _ input: any FrameInput, after old: Pipeline?) {
        let orientation = input is VideoFeed ? input.plan.orientation : .upright
        Task {
            await old?.stop(within: .seconds(2))
            do throws(GStreamerError) {
                let pipeline = try make(caps, orientation)
                guard let element = pipeline.bin.element(named: Self.source) else { return }
                watch(pipeline)
                // Its end waits for a first frame.
                await pipeline.begin(.playing, within: .seconds(5))
                let source = try AppSource(element)
                let isLate = phase.withLock { phase in
                    guard case .building(let wanted) = phase, wanted == caps else { return true }
                    phase = .running(caps, pipeline, source)
                    return false
                }
                if isLate { await pipeline.stop(within: .seconds(2)) }
            } catch { fail(error) }
        }
    }

    private func watch(_ pipeline: Pipeline) {
        let messages = pipeline.bus.messages()
        Task { [weak self] in
            for await message in messages {
                if case .error(let error) = message.content { self?.fail(error) }
            }
        }
    }

    private func fail(_ error: GStreamerError) {
        guard !isOver else { return }
        end()
        onEnd(self, error)
    }
}
