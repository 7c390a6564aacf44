import AnimatedImages
import Encoding
import Errors
import GStreamer
import MediaTypes
import Threads

/// Makes a GIF: its colors are found in all frames before the first is written. Few frames are kept meanwhile; of many the input is read
/// once more, as they would take gigabytes.
struct AnimationExport: ExportStrategy {
    let context: ExportContext
    let planner: ExportPlanner

    func write() async throws -> WrittenMovie? {
        let first = AnimationPass()
        var written = try await run(first)
        guard let colors = try await onOwnThread("rushes-colors", { try first.colors() }) else { return nil }
        let output = context.output
        let made: Made
        if let frames = colors.frames {
            made = try await onOwnThread("rushes-gif") { try write(frames, colors) }
        } else {
            let second = AnimationPass { try AnimationFile($0, colors.palette, in: output) }
            _ = try await run(second)
            made = try await onOwnThread("rushes-gif") { try second.finish().map(Made.init) } ?? Made()
        }
        context.status.report(.finishing)
        written.size = try await onOwnThread("rushes-output") { try output.size() }
        written.isFirstPass = false
        written.subtitles = nil
        (written.expected.frames, written.expected.duration) = (made.frames, made.duration)
        written.expected.lastFrame = made.duration - colors.timing.lastDelay * 10 * .millisecond
        let omitted = colors.timing.omitted
        if omitted > 0 {
            written.notes.append(
                "\(omitted) frame\(omitted == 1 ? "" : "s") less than 0.02 s after the one before "
                    + "\(omitted == 1 ? "is" : "are") left out: players show none for so short a time.")
        }
        return written
    }

    private struct Made: Sendable {
        var frames = 0
        var duration: MediaTime = .zero

        init() {}
        init(_ file: AnimationFile) { (frames, duration) = (file.frames, file.duration) }
    }

    private func run(_ pass: AnimationPass) async throws -> WrittenMovie {
        var planner = planner
        planner.target.animation = pass
        return try await EncodingRun(context: context, planner: planner).runRetrying()
    }

    /// Blocks.
    private func write(_ frames: [AnimationPass.Frame], _ colors: AnimationPass.Colors) throws -> Made {
        let status = context.status
        let end = (colors.timing.latest + colors.timing.lastDelay) * 10 * MediaTime.millisecond
        status.report(.began(.init(phase: .encoding, step: AnimationPass.writing, share: 0.5..<1, duration: end)))
        let file = try AnimationFile(colors.layout, colors.palette, in: context.output)
        for frame in frames {
            guard status.mayContinue() else { throw CancellationError() }
            status.report(.frameSubmitted(until: frame.time * 10 * .millisecond))
            try file.append(frame)
            status.report(.frameEncoded(bytes: 0))
        }
        try file.finish(colors.timing)
        return Made(file)
    }
}
