import Foundation
import LiveActivity

/// An activity in the few words that a desktop surface has room for.
enum ActivityWords {
    /// The name of the program's desktop file, by which desktops find its icon.
    static let desktopEntry = "rushes"

    /// What a surface shows before it knows the attributes.
    static func title(_ kind: ActivityKind) -> String {
        switch kind {
        case .recording: "Recording"
        case .timelapse: "Timelapse"
        case .transcode, .compose, .batch: "Export"
        }
    }

    /// "Exporting 47/200", "Paused", "Completing the file".
    static func doing(_ event: ActivityEvent) -> String {
        let state = event.contentState
        switch state.phase {
        case .waiting: return "Waiting"
        case .running: return state.subtitle ?? "\(verb(event.kind))\(count(state))"
        case .paused: return "Paused\(count(state))"
        case .interrupted: return "Interrupted\(count(state))"
        case .finishing: return "Completing the file"
        case .finished: return "Done"
        case .failed: return state.message ?? state.reason ?? "Failed"
        case .cancelled: return "Cancelled"
        }
    }

    /// Whole percents, rounded down: 100 is for what is finished.
    static func percent(_ state: ContentState) -> Int? { state.fraction.map { Int(($0 * 100).rounded(.down)) } }

    /// A path of the wire form as a link: events name what is not UTF-8 as a link already.
    static func link(_ output: String) -> String {
        output.hasPrefix("file:") ? output : URL(filePath: output).absoluteString
    }

    private static func verb(_ kind: ActivityKind) -> String {
        switch kind {
        case .recording: "Recording"
        case .timelapse: "Making a timelapse"
        case .compose: "Composing"
        case .transcode, .batch: "Exporting"
        }
    }

    private static func count(_ state: ContentState) -> String {
        guard let total = state.totalItems, total > 1 else { return "" }
        return " \(state.completedItems ?? 0)/\(total)"
    }
}
