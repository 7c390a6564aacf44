import Foundation

/// What a process may be asked through its socket: one line of JSON.
///
/// `{"follow":true}` is answered with the events of all its activities, `{"control":"stop","id":"…"}` with a ``SocketReply``.
struct SocketRequest: Codable, Equatable {
    var follow: Bool?
    var control: String?
    var id: String?
    /// What the request says beyond its name, such as a mark's.
    var text: String?
}

/// How a request to an activity was taken.
struct SocketReply: Codable, Equatable {
    /// Why it was not; `nil` if it was.
    var error: String?
    /// What came of it, where that is told.
    var text: String?
}

/// An event on its way to several listeners, made to bytes once.
struct EventLine {
    let id: String
    let isUpdate: Bool
    let bytes: [UInt8]

    init(_ event: ActivityEvent) {
        (id, isUpdate, bytes) = (event.id, event.event == .update, Array(event.line))
    }
}

/// What is still to be sent to one listener.
///
/// A listener that reads too slowly loses updates that a later one supersedes, never a start or an end.
struct ListenerQueue {
    static let capacity = 64
    private var waiting: [EventLine] = []
    private var sending: ArraySlice<UInt8> = []

    var isEmpty: Bool { sending.isEmpty && waiting.isEmpty }

    mutating func put(_ line: EventLine) {
        if waiting.count >= Self.capacity, let old = waiting.firstIndex(where: { $0.isUpdate && $0.id == line.id }) {
            waiting.remove(at: old)
        }
        waiting.append(line)
    }

    mutating func put(_ bytes: [UInt8]) { sending += bytes }

    /// What goes next: a line once begun is sent to its end.
    mutating func next() -> ArraySlice<UInt8> {
        if sending.isEmpty, !waiting.isEmpty { sending = waiting.removeFirst().bytes[...] }
        return sending
    }

    mutating func sent(_ count: Int) { sending = sending.dropFirst(count) }
}
