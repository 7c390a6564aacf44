import Foundation
import LiveActivity
import MovieFiles
import SystemPackage

/// An activity as one line for people: "3f2a91bc  take.mov: recording running, 0:16, 48.2 MB".
struct ActivityLine {
    let text: String

    /// - Parameter failures: what other lines tell.
    init(_ record: ActivityRecord, now: Date, _ failures: ToldFailures) {
        let state = record.state(at: now)
        let note = state == .stale ? " (no update since \(Self.time(record.last.timestamp)))" : ""
        text = Sentence.printable(
            "\(record.id.prefix(8))  \(Self.time(record.startDate))  \(Self.name(record)): "
                + "\(Self.words(failures.told(record.last)))\(note)")
    }

    /// The title, and of a recording that was given one the file, too.
    private static func name(_ record: ActivityRecord) -> String {
        let title = record.attributes.title
        guard record.last.kind == .recording, let output = record.attributes.output,
            let file = FilePath(wireText: output)?.lastComponent?.string, file != title
        else { return title }
        return "\(title) (\(file))"
    }

    /// What is left of an activity on a terminal whose bar goes.
    static func end(_ event: ActivityEvent, title: String?) -> String {
        "\(event.id.prefix(8))  " + (title.map { "\($0): " } ?? "") + words(event)
    }

    /// How it stands, and of what failed why.
    private static func words(_ event: ActivityEvent) -> String {
        let state = event.contentState
        guard state.phase == .failed, let reason = state.reason, state.message == nil else { return event.summary }
        return "\(event.summary), \(reason)"
    }

    /// "2026-11-21 14:03:22", on this machine's clock.
    private static func time(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
    }
}
