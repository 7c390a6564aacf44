package import MediaTypes

/// The `bext` chunk of a WAV file as it is (EBU Tech 3285): who made it, how, and at which sample since midnight it begins, by which editors
/// place it.
package struct BroadcastWave: Hashable, Sendable {
    private let content: [UInt8]
    private let sampleRate: Int
    /// In words, what of it only such a file has a place for.
    package let words: [String]
    /// How much later than the file that it is of another one begins.
    package var delay: MediaTime = .zero

    /// Of the fields of one size, of which there are fewer in the first version.
    static let minimumSize = 602
    private static let timeReference = 338..<346

    /// - Parameter content: of the chunk.
    /// - Returns: nil for what is too short to be one.
    init?(_ content: [UInt8], sampleRate: Int, words: [String]) {
        guard content.count >= Self.minimumSize, sampleRate > 0 else { return nil }
        (self.content, self.sampleRate, self.words) = (content, sampleRate, words)
    }

    /// The same for a file of that rate; what tells no time goes on telling none.
    func content(sampleRate rate: Int) -> [UInt8] {
        let reference = content[Self.timeReference].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard reference > 0, rate != sampleRate || delay != .zero else { return content }
        let begin = Double(reference) / Double(sampleRate) + delay.seconds
        let moved = UInt64(max(0, min(begin * Double(rate), 1e18)).rounded())
        var bytes = content
        for (place, shift) in zip(Self.timeReference, stride(from: 0, to: 64, by: 8)) {
            bytes[place] = UInt8(moved >> shift & 0xFF)
        }
        return bytes
    }
}
