import FlyingSocks
import Foundation

/// Why there is no page, in a sentence with the cure.
public struct PageError: Error, Sendable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String

    init(cannotListenAt address: PageAddress, _ failure: (any Error)?) {
        guard case .failed(_, let code, let message)? = failure as? SocketError else {
            description = "the page did not begin to listen on \(address); choose another with --listen ADDRESS:PORT"
            return
        }
        description =
            switch code {
            case EADDRINUSE:
                "\(address) is taken, perhaps by another rushes serve; choose another with --listen ADDRESS:PORT"
            case EADDRNOTAVAIL:
                "\(address.host) is no address of this machine; `ip address` lists them, and 0.0.0.0 stands for all"
            case EACCES: "port \(address.port) is for root only; choose one above 1023 with --listen ADDRESS:PORT"
            default: "the page cannot listen on \(address): \(message)"
            }
    }
}
