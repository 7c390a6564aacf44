import CGIO
package import Foundation

/// A method of a service on a bus.
package struct BusMethod: Sendable, Hashable {
    /// The name of the service on the bus, such as "org.freedesktop.Notifications".
    package let service: String
    /// The path of the object, such as "/org/freedesktop/Notifications".
    package let path: String
    /// The interface that the method belongs to; often named as the service.
    package let interface: String
    /// The method's own name, such as "Notify".
    package let name: String

    /// All four as they stand on the bus; nothing is asked yet.
    package init(service: String, path: String, interface: String, name: String) {
        self.service = service
        self.path = path
        self.interface = interface
        self.name = name
    }
}

/// The answer to a call: values, and open files that came with it.
package struct BusReply: Sendable {
    /// In the order of the method's signature.
    package let values: [BusValue]
    /// Each closes with the last reference to it.
    package let files: [FileHandle]
}

extension BusConnection {
    /// The time a service has for its answer, in milliseconds.
    private static let answerLimit: Int32 = 5000

    /// Asks a service; the answer comes on the connection's thread, within five seconds.
    ///
    /// - Parameter startsService: whether the bus may start a service that does not run.
    package func call(
        _ method: BusMethod, _ arguments: [BusValue] = [], startsService: Bool = true,
        answer: @escaping @Sendable (Result<BusReply, BusError>) -> Void = { _ in }
    ) {
        thread.run { [link] in
            guard let connection = link.connection else { return answer(.failure(.closed)) }
            guard let tuple = BusValue.tuple(arguments) else { return answer(.failure(.unsendable)) }
            g_dbus_connection_call_with_unix_fd_list(
                connection, method.service, method.path, method.interface, method.name, tuple, nil,
                startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START, Self.answerLimit, nil, nil,
                { source, result, data in
                    guard let data else { return }
                    Unmanaged<Question>.fromOpaque(data).takeRetainedValue().finish(source, result)
                }, Unmanaged.passRetained(Question(answer)).toOpaque())
        }
    }

    /// The same for who waits.
    ///
    /// - Throws: ``BusError``: what the service said, or that there is no connection or no answer.
    package func call(_ method: BusMethod, _ arguments: [BusValue] = []) async throws -> BusReply {
        try await withCheckedThrowingContinuation { continuation in
            call(method, arguments) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        }
    }

    private final class Question: Sendable {
        private let answer: @Sendable (Result<BusReply, BusError>) -> Void
        init(_ answer: @escaping @Sendable (Result<BusReply, BusError>) -> Void) { self.answer = answer }

        func finish(_ connection: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
            var files: UnsafeMutablePointer<GUnixFDList>?
            var error: UnsafeMutablePointer<GError>?
            let reply = g_dbus_connection_call_with_unix_fd_list_finish(
                connection.map { OpaquePointer($0) }, &files, result, &error)
            guard let reply else { return answer(.failure(BusError(taking: error))) }
            defer { g_variant_unref(reply) }
            answer(.success(BusReply(values: BusValue.values(in: reply), files: Self.take(files))))
        }

        private static func take(_ list: UnsafeMutablePointer<GUnixFDList>?) -> [FileHandle] {
            guard let list else { return [] }
            defer { g_object_unref(list) }
            return (0..<g_unix_fd_list_get_length(list)).compactMap { index in
                let descriptor = g_unix_fd_list_get(list, index, nil)
                return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            }
        }
    }
}
