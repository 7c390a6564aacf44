/// Why something could not be done: a code for programs, what failed on what, and the cause, with one sentence for people.
///
/// The sentence says what can be done about it, in the words of this library; a program that has names of its own for the
/// settings tells its users those, by ``code``.
public struct RushesError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    public var code: Code
    /// What it went wrong on: the path of a file, or the name of a device, an address or an activity; `nil` where only the
    /// settings are at fault.
    public var subject: String?
    /// What the system, GStreamer or a file's reader said, where one of them is the cause.
    public var underlying: (any Error)?
    /// One sentence for people, with what can be done about it.
    public var description: String

    /// - Parameters:
    ///   - subject: the path, device, address or activity that it failed on.
    ///   - description: one sentence for people, with the cure; settings are named by ``Term``.
    package init(_ code: Code, on subject: String? = nil, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.subject = subject
        self.underlying = underlying
        self.description = description
    }

    /// The error with what it failed on, where it does not say that itself.
    package func on(_ subject: String) -> Self {
        var error = self
        error.subject = self.subject ?? subject
        return error
    }
}

extension RushesError: Equatable {
    /// Causes are compared by what they say.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.subject == right.subject && left.description == right.description
            && left.underlying.map(String.init(describing:)) == right.underlying.map(String.init(describing:))
    }
}
