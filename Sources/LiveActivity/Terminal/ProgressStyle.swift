/// How progress is shown to a person.
public enum ProgressStyle: String, Sendable, CaseIterable {
    /// A bar on a terminal, plain lines elsewhere.
    case auto
    /// One line that is drawn again and again.
    case bar
    /// A line now and then.
    case plain
    case none

    /// Never `auto`; a bar only where a line can be drawn again.
    package func resolved(on terminal: Terminal) -> ProgressStyle {
        switch self {
        case .auto, .bar: terminal.isTerminal ? .bar : .plain
        case .plain, .none: self
        }
    }
}
