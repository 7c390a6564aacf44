import SystemPackage

/// Why there is no page, in a sentence with the cure.
public struct PageError: Error, Sendable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String

    init(cannotListenAt address: PageAddress, _ failure: any Error) {
        description =
            switch failure as? Errno {
            case .addressInUse:
                "\(address) is taken, perhaps by another rushes serve; choose another with --listen ADDRESS:PORT"
            case .addressNotAvailable:
                "\(address.host) is no address of this machine; `ip address` lists them, and 0.0.0.0 stands for all"
            case .permissionDenied:
                "port \(address.port) is for root only; choose one above 1023 with --listen ADDRESS:PORT"
            default: "the page cannot listen on \(address): \(failure)"
            }
    }
}
