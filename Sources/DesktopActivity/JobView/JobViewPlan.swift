import DesktopBus
import LiveActivity

/// What KDE's job tracker is told of one activity: a view is asked for, then what changed, then the end.
struct JobViewPlan {
    enum Step: Equatable {
        /// Bit 0: it can be killed, bit 1: suspended (KJob::Capabilities).
        case request(capabilities: Int32)
        case update(view: String, [String: BusValue])
        /// 0: done, 1: killed by a person (KJob::KilledJobError), 100: failed (KJob::UserDefinedError).
        case terminate(view: String, code: UInt32, message: String)
    }

    private enum View {
        case none, asked
        case open(String)
        case gone
    }
    private var view = View.none
    private var title: String
    private var told: [String: BusValue] = [:]
    private var latest: ActivityEvent

    init(_ event: ActivityEvent) {
        latest = event
        title = event.attributes?.title ?? ActivityWords.title(event.kind)
    }

    mutating func take(_ event: ActivityEvent, controls: Set<ActivityControl>) -> [Step] {
        latest = event
        switch view {
        case .none:
            guard event.event != .end else {
                view = .gone
                return []
            }
            view = .asked
            let canEnd = controls.contains(.cancel) || controls.contains(.stop)
            return [.request(capabilities: (canEnd ? 1 : 0) | (controls.contains(.pause) ? 2 : 0))]
        case .open(let path): return tell(path)
        case .asked, .gone: return []
        }
    }

    /// The tracker's answer; nil: there is none.
    mutating func opened(_ path: String?) -> [Step] {
        guard let path else {
            view = .gone
            return []
        }
        view = .open(path)
        return tell(path)
    }

    func isView(at path: String) -> Bool {
        guard case .open(path) = view else { return false }
        return true
    }

    private mutating func tell(_ path: String) -> [Step] {
        let all = properties
        let changed = all.filter { told[$0.key] != $0.value }
        told = all
        var steps: [Step] = changed.isEmpty ? [] : [.update(view: path, changed)]
        guard latest.event == .end else { return steps }
        view = .gone
        let state = latest.contentState
        switch state.phase {
        case .finished: steps.append(.terminate(view: path, code: 0, message: ""))
        case .cancelled: steps.append(.terminate(view: path, code: 1, message: ""))
        default: steps.append(.terminate(view: path, code: 100, message: ActivityWords.doing(latest)))
        }
        return steps
    }

    /// The keys of org.kde.JobViewV3's update, as KJobWidgets sends them.
    private var properties: [String: BusValue] {
        let state = latest.contentState
        var properties: [String: BusValue] = [
            "title": .string(title), "infoMessage": .string(ActivityWords.doing(latest)),
            "suspended": .bool(state.phase == .paused),
            "elapsedTime": .uint64(UInt64(max(0, state.elapsed)) * 1000),
        ]
        if let percent = ActivityWords.percent(state) { properties["percent"] = .uint32(UInt32(clamping: percent)) }
        if let bytes = state.bytesWritten { properties["processedBytes"] = .uint64(UInt64(clamping: bytes)) }
        if state.itemUnit == .files {
            if let done = state.completedItems { properties["processedFiles"] = .uint64(UInt64(clamping: done)) }
            if let total = state.totalItems { properties["totalFiles"] = .uint64(UInt64(clamping: total)) }
        }
        if let item = state.currentItem {
            properties["descriptionLabel1"] = .string("File")
            properties["descriptionValue1"] = .string(item)
        }
        if let output = state.output { properties["destUrl"] = .string(ActivityWords.link(output)) }
        return properties
    }
}
