import Dispatch

/// What a surface sends, and the wait for it at the end: a command that ends right after its work would else take its last
/// word with it.
package struct Outbox: Sendable {
    package let bus: BusConnection
    private let open = DispatchGroup()

    package init(_ bus: BusConnection) { self.bus = bus }

    package func call(
        _ method: BusMethod, _ arguments: [BusValue] = [], startsService: Bool = true,
        answer: @escaping @Sendable (Result<BusReply, BusError>) -> Void = { _ in }
    ) {
        open.enter()
        bus.call(method, arguments, startsService: startsService) { [open] reply in
            answer(reply)
            open.leave()
        }
    }

    package func emit(path: String, interface: String, signal: String, _ arguments: [BusValue]) {
        open.enter()
        bus.emit(path: path, interface: interface, signal: signal, arguments)
        bus.flush { [open] in open.leave() }
    }

    /// Waits until all is sent and answered, a second at most.
    package func settle() { _ = open.wait(timeout: .now() + 1) }
}
