/// What was set of a camera's controls, and how they were before. Pure: the driver is told elsewhere.
struct ControlChanges: Sendable, Equatable {
    /// In the order in which they were first set.
    private var entries: [(id: UInt32, before: Int32?, value: Int32)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter before: what it was just now; the first time counts.
    mutating func note(_ setting: V4L2Setting, before: Int32?) {
        if let index = entries.firstIndex(where: { $0.id == setting.id }) {
            entries[index].value = setting.value
        } else {
            entries.append((setting.id, before, setting.value))
        }
    }

    /// What sets the same again, of a camera that was away.
    var again: [V4L2Setting] { entries.map { V4L2Setting(id: $0.id, value: $0.value) } }

    /// What brings back how it was: the last first, as a value may only be set while the camera does not see to it.
    var restoring: [V4L2Setting] {
        entries.reversed().compactMap { entry in entry.before.map { V4L2Setting(id: entry.id, value: $0) } }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.again == right.again && left.restoring == right.restoring
    }
}
