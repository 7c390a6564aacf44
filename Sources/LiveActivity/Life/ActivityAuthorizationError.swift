/// Why an activity cannot be asked for. ActivityKit's name.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityAuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The attributes take more than 4 KB as JSON.
    case attributesTooLarge

    public var description: String {
        switch self {
        case .attributesTooLarge:
            "The activity's attributes are larger than \(ActivityEvent.byteLimit) bytes; shorten its title, output or inputs."
        }
    }
}
