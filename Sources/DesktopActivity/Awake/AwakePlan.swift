import LiveActivity

/// Whether the machine must stay awake: as long as any work goes on. What is paused or waits does not need it.
struct AwakePlan {
    enum Step: Equatable { case take(reason: String), release }

    private var working: Set<String> = []
    private var title = "Rushes"

    mutating func take(_ event: ActivityEvent) -> Step? {
        title = event.attributes?.title ?? title
        let wasNeeded = !working.isEmpty
        switch event.contentState.phase {
        case .running, .interrupted, .finishing: working.insert(event.id)
        case .waiting, .paused, .finished, .failed, .cancelled: working.remove(event.id)
        }
        if event.event == .end { working.remove(event.id) }
        switch (wasNeeded, !working.isEmpty) {
        case (false, true): return .take(reason: "\(ActivityWords.doing(event)): \(title)")
        case (true, false): return .release
        default: return nil
        }
    }
}
