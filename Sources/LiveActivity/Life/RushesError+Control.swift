import Errors

/// Why a request was not taken.
extension RushesError {
    /// - Parameter sentence: what another process answered.
    init(refusal sentence: String, on title: String) { self.init(.controlRefused, on: title, sentence) }

    static func unknownActivity(_ id: String) -> Self {
        Self(.controlRefused, on: id, "There is no activity '\(id)'; \(Term.activities) lists them.")
    }

    static func hasEnded(_ title: String) -> Self { Self(.controlRefused, on: title, "\(title) has already ended.") }

    static func notTaken(_ request: ActivityControl, by title: String, takes controls: Set<ActivityControl>) -> Self {
        let taken = ActivityControl.allCases.filter(controls.contains).map(\.rawValue)
        guard let last = taken.last else { return Self(.controlRefused, on: title, "\(title) accepts no requests.") }
        let list = taken.count == 1 ? last : taken.dropLast().joined(separator: ", ") + " and " + last
        // Of a recording; nothing else could keep them.
        let cure = request == .mark && controls.contains(.split) ? " Recordings to .mov and .mp4 keep marks." : ""
        return Self(
            .controlRefused, on: title, "\(title) cannot be asked to \(request.rawValue); it accepts \(list).\(cure)")
    }

    static func longText(for activity: String) -> Self {
        Self(
            .controlRefused, on: activity,
            "A text can have at most \(ActivityControl.longestText) bytes; give a shorter one.")
    }

    static func unreachable(_ title: String, pid: Int32) -> Self {
        Self(
            .controlRefused, on: title,
            "Process \(pid), which is working on \(title), does not respond; it may be stopped: kill -CONT \(pid) resumes it."
        )
    }
}
