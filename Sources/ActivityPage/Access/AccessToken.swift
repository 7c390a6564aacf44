/// The secret in the page's link: who has it may see the page from elsewhere, steer and open results.
public struct AccessToken: Sendable {
    /// 160 bits, in characters that need no escape in a link or a QR code.
    public let text: String

    /// A new one, from the system's source of randomness.
    public init() {
        var source = SystemRandomNumberGenerator()
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        text = String((0..<32).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &source)] })
    }

    init(text: String) { self.text = text }

    /// Takes as long for a guess that is nearly right as for any other, so that time tells nothing about the secret.
    public func matches(_ guess: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(guess.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
