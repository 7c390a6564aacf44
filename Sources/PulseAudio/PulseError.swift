import CPulse

/// What a sound server, or libpulse, refused, failed or ended with.
public struct PulseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of libpulse's `pa_error_code`, without a sign.
    public var code: UInt32
    /// libpulse's words, in the language of the process.
    public var description: String

    init(_ code: UInt32) {
        self.code = code
        description = pa_strerror(Int32(clamping: code)).map { String(cString: $0) } ?? "error \(code)"
    }

    /// What the last call on a connection failed with.
    init(of context: OpaquePointer) { self.init(UInt32(clamping: abs(pa_context_errno(context)))) }

    /// The server took a stream away.
    public static let killed = PulseError(PA_ERR_KILLED.rawValue)
    /// The connection broke off.
    public static let terminated = PulseError(PA_ERR_CONNECTIONTERMINATED.rawValue)

    /// There is no source of this name.
    public var isNotFound: Bool { code == PA_ERR_NOENTITY.rawValue }
    /// The server took the stream away, mostly because its source is gone.
    public var isKilled: Bool { code == PA_ERR_KILLED.rawValue }
    /// No server listens, or the one that did has ended.
    public var isUnreachable: Bool {
        [PA_ERR_CONNECTIONREFUSED, PA_ERR_CONNECTIONTERMINATED, PA_ERR_INVALIDSERVER].contains { $0.rawValue == code }
    }
    /// The server does not let this user in.
    public var isForbidden: Bool { [PA_ERR_ACCESS, PA_ERR_AUTHKEY].contains { $0.rawValue == code } }
}
