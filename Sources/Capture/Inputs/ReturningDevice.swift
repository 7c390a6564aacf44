import AsyncAlgorithms
import GStreamer

/// Notices that a camera that runs was unplugged, and that it is plugged in again: the same one, by its id.
///
/// What a provider tells is only the occasion for a look. PipeWire's cameras end without a word to who records them (0.3.65), and their
/// removal is told by the provider alone; V4L2's driver reports an error at once, and forgets an unplugged device only when
/// nobody has it open any more, so that it may never have left the list.
struct ReturningDevice: Sendable {
    let id: String
    private let provider: ProviderWatch

    /// `nil` for what no provider lists.
    init?(_ plan: VideoSourcePlan) {
        guard let id = plan.device, let provider = ProviderWatch.all.first(where: { $0.backend == plan.backend }) else {
            return nil
        }
        (self.id, self.provider) = (id, provider)
    }

    private enum Occasion: Sendable { case time, added, removed(String?) }

    /// How often is looked without an occasion: a device that is listed may not open yet.
    private static let interval = Duration.milliseconds(500)

    private var occasions: some AsyncSequence<Occasion, Never> & Sendable {
        let timer = AsyncTimerSequence(interval: Self.interval, clock: .continuous).map { _ in Occasion.time }
        let messages = (provider.messages() ?? AsyncStream { nil }).compactMap { [provider] message -> Occasion? in
            switch message.content {
            case .deviceAdded: .added
            case .deviceRemoved(let device):
                .removed(CaptureDevice(ProviderEntry(device, backend: provider.backend))?.id)
            default: nil
            }
        }
        return merge(timer, messages)
    }

    /// Waits until an input of the camera is lost; returns why, or `nil` if it was closed or the task cancelled.
    func loss(of input: CaptureInput) async -> String? {
        let faults = input.states().map { _ in Occasion.time }
        for await occasion in merge(occasions, faults) {
            switch input.state {
            case .lost(let words): return words
            case .ended: return nil
            case .running, .stalled: break
            }
            if case .removed(id) = occasion { return "it was unplugged" }
        }
        return nil
    }

    /// Waits until the camera is listed; `nil` if the task is cancelled.
    func found() async -> CaptureDevice? {
        for await occasion in occasions {
            if case .removed = occasion { continue }
            guard !Task.isCancelled else { return nil }
            guard case .devices(let devices) = await provider.answer(within: 5) else { continue }
            if let device = devices.first(where: { $0.id == id }) { return device }
        }
        return nil
    }
}
