import GStreamer
import LiveActivity
import MovieFiles

/// What is shown of a batch now: its events in, content states out.
struct BatchImage {
    /// The name of the folder from which more files come; `nil` where all are there.
    private let watched: String?
    private let folder: String
    private let begin = ContinuousClock.now
    private var items: [BatchItem] = []
    private var files: [Int: BatchFileImage] = [:]
    /// How far each item is; what is done is 1.
    private var fractions: [Double] = []
    private var isOver: [Bool] = []
    /// How many are over, and of these done.
    private var (over, done) = (0, 0)
    private var progress = BatchProgress([])
    private var needsWeighing = false
    private var estimate = ProgressEstimate()
    private var status = BatchStatus(phase: .running, isStopping: false)
    private var failed = 0
    private var size: Int64 = 0
    /// What a person should know: what failed last.
    private var message: String?
    private var thumbnail: String?
    private var current: String?
    private var latest: (state: ContentState, time: ContinuousClock.Instant)?

    init(watched: String?, folder: String) { (self.watched, self.folder) = (watched, folder) }

    func item(_ number: Int) -> BatchItem? { items.indices.contains(number) ? items[number] : nil }
    func activity(_ number: Int) -> Activity? { files[number]?.activity }

    mutating func began(_ number: Int, _ activity: Activity) {
        files[number] = BatchFileImage(activity, output: items[number].output)
        current = items[number].displayName
    }

    /// - Returns: what the batch's activity shows from now on; `nil` where it showed something just now.
    mutating func take(_ event: BatchEvent) -> ContentState? {
        switch event {
        case .added(let number, let item):
            guard number == items.count else { return nil }
            items.append(item)
            fractions.append(0)
            isOver.append(false)
            // Weighed when all are there.
            needsWeighing = true
            return nil
        case .began: break
        case .progress(let number, let news):
            files[number]?.progress = news
            fractions[number] = max(fractions[number], news.fraction ?? 0)
            weighed { $0.advance(number, to: news.fraction ?? 0) }
            if let frame = news.thumbnail { (thumbnail, current) = (frame.wireText, items[number].displayName) }
        case .held(let number, let isHeld): files[number]?.isHeld = isHeld
        case .postponed: break
        case .ended(let number, let outcome): ended(number, outcome)
        case .status(let news): status = news
        }
        let state = state()
        // Ten times a second at most, but at once where something has changed that people wait for.
        if let latest, latest.state.phase == state.phase, latest.state.completedItems == state.completedItems,
            latest.state.message == state.message, .now - latest.time < .milliseconds(200)
        {
            return nil
        }
        latest = (state, .now)
        return state
    }

    private mutating func ended(_ number: Int, _ outcome: BatchOutcome) {
        if !isOver[number] { over += 1 }
        isOver[number] = true
        if outcome.kind == .done || outcome.kind == .skipped {
            fractions[number] = 1
            done += 1
            weighed { $0.finish(number) }
        } else {
            weighed { $0.abandon(number) }
        }
        if outcome.kind == .done { size += outcome.outputSize }
        guard outcome.kind == .failed else { return }
        failed += 1
        message = items[number].sentence(outcome.reason ?? "Failed.")
    }

    private mutating func weighed(_ change: (inout BatchProgress) -> Void) {
        // Nobody knows how far a watched folder is.
        guard watched == nil else { return }
        if needsWeighing {
            needsWeighing = false
            progress = BatchProgress(items.map(\.attributes))
            for number in items.indices {
                progress.advance(number, to: fractions[number])
                if isOver[number] { fractions[number] == 1 ? progress.finish(number) : progress.abandon(number) }
            }
        }
        change(&progress)
    }

    private mutating func state() -> ContentState {
        let elapsed = (.now - begin) / .seconds(1)
        var state = ContentState(
            phase: status.phase, fraction: watched == nil ? progress.fraction : nil, elapsed: elapsed)
        (state.completedItems, state.totalItems, state.itemUnit) = (over, items.count, .files)
        state.subtitle = "Exporting \(over)/\(items.count)"
        if let watched, over == items.count, status.phase == .running || status.phase == .waiting {
            state.phase = .waiting
            state.subtitle =
                over == 0 ? "Waiting for files in \(watched)" : "\(done) exported, waiting for more in \(watched)"
        }
        state.failedItems = failed
        state.bytesWritten = size + files.values.reduce(0) { $0 + $1.progress.bytesWritten }
        state.currentItem = current
        state.thumbnail = thumbnail
        state.output = folder
        state.message = status.message ?? message
        if watched == nil { estimate.apply(to: &state, progress, at: elapsed) }
        return state
    }

    mutating func final(_ summary: BatchSummary) -> ContentState {
        var state = state()
        state.phase =
            summary.isComplete ? .finished : summary.interrupted > 0 || summary.left > 0 ? .cancelled : .failed
        if summary.isComplete { state.fraction = 1 }
        state.subtitle = "Exported \(summary.done + summary.skipped)/\(items.count)"
        state.fileIsGood = summary.isComplete
        return state
    }
}

/// Its files.
extension BatchImage {
    mutating func shownFile(_ number: Int) -> (activity: Activity, state: ContentState)? {
        guard let file = files[number], let state = files[number]?.show() else { return nil }
        return (file.activity, state)
    }

    /// Files of which nothing was shown for a second, as one that is held tells nothing: what is shown grows old.
    var quietFiles: [Int] { files.filter { $0.value.isQuiet }.map(\.key) }

    /// Files that are under way.
    var openFiles: [Int] { files.keys.sorted() }

    mutating func endFile(_ number: Int, _ outcome: BatchOutcome) -> (Activity, ContentState)? {
        guard var file = files.removeValue(forKey: number) else { return nil }
        return (file.activity, file.final(outcome))
    }
}
