import Foundation
import SystemPackage

/// Reads what is appended to the history.
struct HistoryCursor {
    private let history: ActivityHistory
    private var offset: Int64
    private var file: UInt64?
    private var lastLook = Date()

    /// Begins behind what is there now.
    init(_ history: ActivityHistory) {
        self.history = history
        (file, offset) = Self.place(history)
    }

    /// The records that were appended since the last call.
    mutating func news() -> [ActivityRecord] {
        let since = lastLook.addingTimeInterval(-5)
        lastLook = Date()
        let (now, size) = Self.place(history)
        if now != file || size < offset {
            // The history is new, or was halved; then its latest lines hold what was appended meanwhile, among others.
            (file, offset) = (now, 0)
            return ((try? read()) ?? []).filter { $0.last.timestamp >= since }
        }
        return size == offset ? [] : (try? read()) ?? []
    }

    private mutating func read() throws -> [ActivityRecord] {
        let (records, end) = try history.records(after: offset)
        offset = end
        return records
    }

    private static func place(_ history: ActivityHistory) -> (file: UInt64?, size: Int64) {
        var status = stat()
        guard stat(history.path.string, &status) == 0 else { return (nil, 0) }
        return (UInt64(status.st_ino), Int64(status.st_size))
    }
}
