/// Why a request was not taken, in one sentence.
public struct ActivityControlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }

    static func unknown(_ id: String) -> Self {
        Self("There is no activity '\(id)'; 'rushes activities' lists them.")
    }

    static func ended(_ title: String) -> Self { Self("\(title) has ended already.") }

    static func notTaken(_ request: ActivityControl, by title: String, takes controls: Set<ActivityControl>) -> Self {
        let taken = ActivityControl.allCases.filter(controls.contains).map(\.rawValue)
        guard let last = taken.last else { return Self("\(title) takes no requests.") }
        let list = taken.count == 1 ? last : taken.dropLast().joined(separator: ", ") + " and " + last
        return Self("\(title) cannot be asked to \(request.rawValue); it takes \(list).")
    }

    static let longText = Self(
        "A text of more than \(ActivityControl.longestText) bytes is not taken; give a shorter one.")

    static func unreachable(_ title: String, pid: Int32) -> Self {
        Self(
            "Process \(pid), which does \(title), does not answer; it may be stopped: kill -CONT \(pid) lets it go on.")
    }
}
