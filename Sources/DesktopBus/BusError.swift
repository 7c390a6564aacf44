import CGIO

/// What a bus or a service on it said, or why nothing was asked.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bus's own words, or a few without a full stop.
    package let description: String

    static let closed = BusError(description: "there is no connection to the bus")
    static let unsendable = BusError(description: "an argument cannot be sent over D-Bus")

    init(description: String) { self.description = description }

    /// Takes the error over.
    init(taking error: UnsafeMutablePointer<GError>?) {
        description = error.map { String(cString: $0.pointee.message) } ?? "the bus gave no reason"
        error.map(g_error_free)
    }
}
