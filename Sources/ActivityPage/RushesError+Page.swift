import Errors
import SystemPackage

extension RushesError {
    /// Why there is no page.
    init(cannotListenAt address: PageAddress, _ failure: any Error) {
        let sentence =
            switch failure as? Errno {
            case .addressInUse:
                "\(address) is in use, perhaps by another \(Term.pageServer); choose another\(Term.byAddress)"
            case .addressNotAvailable:
                "\(address.host) is not an address of this machine; `ip address` lists them, and 0.0.0.0 means all of them"
            case .permissionDenied:
                "port \(address.port) is for root only; choose one above 1023\(Term.byAddress)"
            default: "the page cannot listen on \(address): \(failure)"
            }
        self.init(.addressUnavailable, on: "\(address)", sentence, underlying: failure)
    }
}
