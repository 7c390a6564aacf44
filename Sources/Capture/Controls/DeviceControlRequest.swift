package import Errors
import MediaTypes

/// That a control is set: "exposure=-1ev", "zoom=2 over 1s".
package struct DeviceControlRequest: Sendable, Hashable {
    package let name: String
    let value: String
    /// What the way there takes; zero for at once.
    private(set) var duration = MediaTime.zero

    /// Longer ones are refused.
    private static let longest = 60 * MediaTime.second

    /// Reads several, apart by spaces.
    ///
    /// - Throws: ``RushesError`` for what is none.
    package static func requests(_ text: String) throws(RushesError) -> [Self] {
        var requests: [Self] = []
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        while let word = words.popFirst() {
            if word == "over", let last = requests.last, last.duration == .zero, let length = words.popFirst() {
                guard let time = DeviceControl.seconds(length).map({ MediaTime(seconds: $0) }),
                    (.millisecond...longest).contains(time)
                else {
                    throw RushesError(
                        .invalidSettings,
                        "A control moves over at most \(Int(longest.seconds)) seconds, such as 1s, not '\(length)'.")
                }
                requests[requests.count - 1].duration = time
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw RushesError(
                    .invalidSettings,
                    "A control is set as NAME=VALUE, such as exposure=10ms, not '\(word)'; \(Term.controls) lists what each camera has."
                )
            }
            requests.append(Self(name: parts[0].lowercased().replacing("_", with: "-"), value: parts[1]))
        }
        guard !requests.isEmpty else {
            throw RushesError(
                .invalidSettings, "Say what is set, such as exposure=10ms; \(Term.controls) lists what each camera has."
            )
        }
        return requests
    }
}
