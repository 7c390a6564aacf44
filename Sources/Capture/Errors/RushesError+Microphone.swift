import Errors
import PulseAudio

extension RushesError {
    /// Why a sound server's microphone is not recorded, as one sentence with the cure.
    ///
    /// - Parameters:
    ///   - failure: what the server said; `nil` where it knows no such microphone.
    ///   - isInTime: whether it said anything.
    init(opening name: String, _ failure: PulseError?, isInTime: Bool) {
        let (code, words): (Code, String) =
            if !isInTime {
                (.deviceSilent, "\(name) does not respond; is it in use or unplugged, or is its server stuck?")
            } else if let failure {
                if failure.isUnreachable {
                    (
                        .deviceFailed,
                        "\(name) cannot be reached: its sound server is not running; start it and try again."
                    )
                } else if failure.isForbidden {
                    (.deviceForbidden, "\(name) cannot be opened: its sound server does not give you access.")
                } else {
                    (.deviceFailed, "\(name) cannot be opened: \(failure)")
                }
            } else {
                (.deviceNotFound, "\(name) is no longer there; \(Term.devices) lists what is.")
            }
        self.init(code, on: name, words, underlying: isInTime ? failure : nil)
    }
}
