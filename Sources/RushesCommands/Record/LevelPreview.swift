import ArgumentParser
import Capture
import Foundation
import LiveActivity
import Threads

/// `--meter`: how loud the microphone is, while nothing is recorded.
struct LevelPreview {
    /// Whether Return ends it, and the recording begins.
    let startsRecording: Bool
    let style: ProgressStyle
    let microphones: [AudioSourcePlan]

    private static let interval = Duration.milliseconds(100)
    private static let quit = UInt8(ascii: "q")
    private static let returns: Set<UInt8> = [10, 13]

    /// Shows levels until Return or q is pressed or the task is cancelled.
    ///
    /// - Throws: `CancellationError`; a `ValidationError` where nobody could press Return.
    func show(_ session: CaptureSession) async throws {
        let pressed = Locked<UInt8?>(nil)
        let keys = TerminalKeys { key in
            if key == Self.quit || startsRecording && Self.returns.contains(key) {
                pressed.withLock { $0 = $0 ?? key }
            }
        }
        guard keys != nil || !startsRecording else {
            throw ValidationError("--meter waits for Return at a terminal, and there is none; leave it out.")
        }
        defer { keys?.end() }
        let reporter = ActivityReporter.progress(style)
        let begin = ContinuousClock.now
        var (number, state) = (1, ContentState(phase: .waiting))
        state.subtitle = "levels only"
        func show(_ event: ActivityEvent.Event) {
            state.elapsed = (ContinuousClock.now - begin).seconds
            reporter.show(
                ActivityEvent(
                    sequence: number, id: "levels", event: event, kind: .recording, timestamp: Date(),
                    contentState: state))
            number += 1
        }
        StandardStreams.printNote(
            startsRecording
                ? "Showing levels only. Press Return to record, q or Ctrl-C to quit."
                : "Showing levels only; nothing is being recorded. Press \(keys == nil ? "" : "q or ")Ctrl-C to stop.")
        show(.start)
        defer { show(.end) }
        var meters = ChannelMeters()
        let names = AudioSourcePlan.distinctNames(of: microphones)
        for await levels in await session.levels(every: Self.interval) {
            if let key = pressed.withLock({ $0 }) {
                guard key == Self.quit else { return }
                throw CancellationError()
            }
            state.audioLevel = meters.take(levels) ?? state.audioLevel
            state.microphones = meters.microphones(names) { microphones[$0].isMuted }
            show(.update)
        }
        try Task.checkCancellation()
    }

    /// Levels alone, until a signal.
    ///
    /// - Throws: ``RushesError`` if a microphone cannot be opened.
    static func run(_ microphones: [AudioSourcePlan], style: ProgressStyle) async throws {
        let session = CaptureSession()
        try await session.configure { $0.microphones = microphones }
        let work = Task {
            try await session.start()
            try await LevelPreview(startsRecording: false, style: style, microphones: microphones).show(session)
        }
        let signals = await StopSignals.watch { work.cancel() }
        defer { signals.cancel() }
        let result = await work.result
        await session.stop()
        do { try result.get() } catch is CancellationError {}
    }
}
