import CPulse

/// What a sound server, or libpulse, refused, failed or ended with.
package struct PulseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of libpulse's `pa_error_code`, without a sign.
    package var code: UInt32
    /// libpulse's words, in the language of the process.
    package var description: String

    init(_ code: UInt32) {
        self.code = code
        description = PulseLibrary.shared?.words(Int32(clamping: code)).map { String(cString: $0) } ?? "error \(code)"
    }

    /// What the last call on a connection failed with.
    init(of connection: PulseConnection) {
        self.init(UInt32(clamping: abs(connection.pulse.errorCode(connection.context))))
    }

    /// There is no libpulse to speak to a server with.
    package static let notInstalled = {
        var error = PulseError(PA_ERR_NOTSUPPORTED.rawValue)
        error.description = "libpulse is not installed (Debian's libpulse0)"
        return error
    }()
    /// The server took a stream away.
    package static let killed = PulseError(PA_ERR_KILLED.rawValue)
    /// The connection broke off.
    package static let terminated = PulseError(PA_ERR_CONNECTIONTERMINATED.rawValue)

    /// There is no source of this name.
    package var isNotFound: Bool { code == PA_ERR_NOENTITY.rawValue }
    /// The server took the stream away, mostly because its source is gone.
    package var isKilled: Bool { code == PA_ERR_KILLED.rawValue }
    /// No server listens, or the one that did has ended.
    package var isUnreachable: Bool {
        [PA_ERR_CONNECTIONREFUSED, PA_ERR_CONNECTIONTERMINATED, PA_ERR_INVALIDSERVER].contains { $0.rawValue == code }
    }
    /// The server does not let this user in.
    package var isForbidden: Bool { [PA_ERR_ACCESS, PA_ERR_AUTHKEY].contains { $0.rawValue == code } }
}
