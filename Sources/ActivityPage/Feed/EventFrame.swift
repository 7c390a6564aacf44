import Foundation
import LiveActivity

/// Activity events as a browser's `EventSource` reads them (WHATWG HTML, server-sent events).
enum EventFrame {
    /// One event: its place in the stream, its kind, and the JSON of the wire form.
    static func event(_ event: ActivityEvent, place: String) -> [UInt8] {
        // The line is JSON without a line break inside, so one data field holds it.
        Array("id: \(place)\nevent: \(event.event.rawValue)\ndata: ".utf8) + event.line + [UInt8(ascii: "\n")]
    }

    /// What a connection begins with: the time here, as the reader's clock may be another; whether all that the reader knows
    /// is out of date; whether it may do more than look. `retry` is in milliseconds.
    static func hello(now: Date, startsAnew: Bool, knowsToken: Bool) -> [UInt8] {
        let time = Int64((now.timeIntervalSince1970 * 1000).rounded())
        return Array(
            """
            retry: 2000
            event: hello
            data: {"now":\(time),"reset":\(startsAnew),"token":\(knowsToken)}\n\n
            """.utf8)
    }

    /// A comment: shows both sides, and what lies between them, that the connection lives.
    static let keepAlive = Array(":\n\n".utf8)
}
