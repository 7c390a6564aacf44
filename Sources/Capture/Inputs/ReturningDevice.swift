import GStreamer
import Threads

/// Notices that a camera that runs was unplugged, and that it is plugged in again: the same one, by its id.
///
/// What a provider tells is only the trigger for a look. PipeWire's cameras end without a word to who records them (0.3.65), and their
/// removal is told by the provider alone; V4L2's driver reports an error at once, and forgets an unplugged device only when
/// nobody has it open any more, so that it may never have left the list. A `gst:` source, such as a network's camera, is in none: it is
/// tried again until it answers.
struct ReturningDevice: Sendable {
    private let plan: VideoSourcePlan
    /// What lists it; `nil` for a `gst:` source.
    private let listed: (id: String, provider: ProviderWatch)?

    /// `nil` for what neither is listed nor a person wrote.
    init?(_ plan: VideoSourcePlan) {
        self.plan = plan
        listed = plan.device.flatMap { id in
            ProviderWatch.all.first { $0.backend == plan.backend }.map { (id, $0) }
        }
        if listed == nil, !plan.isLaunchLine { return nil }
    }

    /// Whether an input of it that is lost may be followed by another: what a person wrote may have an end. After an error there is one,
    /// too.
    func mayReturn(_ input: CaptureInput) -> Bool { listed != nil || input.failure != nil || !input.hasEnded }

    private enum Trigger: Sendable { case time, added, removed(String?) }

    /// How often is looked without one: a device that is listed may not open yet.
    private static let interval = Duration.milliseconds(500)

    private var triggers: [AsyncStream<Trigger>.Source] {
        let clock = AsyncStream.clock(Trigger.time, every: Self.interval)
        guard let provider = listed?.provider, let messages = provider.messages() else { return [clock] }
        return [
            clock,
            AsyncStream.each(of: messages) { [backend = provider.backend] message in
                switch message.content {
                case .deviceAdded: .added
                case .deviceRemoved(let device): .removed(CaptureDevice(ProviderEntry(device, backend: backend))?.id)
                default: nil
                }
            },
        ]
    }

    /// Waits until an input of the camera is lost; returns why, or `nil` if it was closed or the task cancelled.
    func loss(of input: CaptureInput) async -> String? {
        let faults = AsyncStream.each(of: input.states()) { _ in Trigger.time }
        for await trigger in AsyncStream.merging(triggers + [faults]) {
            switch input.state {
            case .lost(let words): return words
            case .ended: return nil
            case .running, .stalled: break
            }
            if case .removed(let id?) = trigger, id == listed?.id { return "it was unplugged" }
        }
        return nil
    }

    /// Waits until the camera is listed, or a moment where nothing lists it.
    ///
    /// - Returns: how it is opened by now; `nil` if the task is cancelled.
    func found() async -> VideoSourcePlan? {
        for await trigger in AsyncStream.merging(triggers) {
            if case .removed = trigger { continue }
            guard !Task.isCancelled else { return nil }
            guard let (id, provider) = listed else { return plan }
            guard case .devices(let devices) = await provider.answer(within: .seconds(5)) else { continue }
            if let device = devices.first(where: { $0.id == id }) { return plan.reopened(as: device) }
        }
        return nil
    }
}
