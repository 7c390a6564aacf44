/// What became of one item of a batch.
public struct BatchOutcome: Sendable, Hashable {
    /// How it ended.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, Codable {
        case done
        /// It was done already, by an earlier run.
        case skipped
        case failed, cancelled
    }

    /// How it ended.
    public var kind: Kind
    /// Why it failed, a sentence.
    public var reason: String?
    /// What was copied, left out or done otherwise than asked, a sentence each.
    public var notes: [String] = []
    /// Those of them that tell of more than how it was written.
    package var remarks: [String] = []
    /// Bytes.
    package var inputSize: Int64 = 0
    /// Bytes; 0 where there is no output.
    package var outputSize: Int64 = 0

    /// Whether the frames are the input's own, not encoded again.
    package var copiesFrames = false

    /// - Parameter reason: a sentence, of one that failed.
    package init(_ kind: Kind, reason: String? = nil) { (self.kind, self.reason) = (kind, reason) }
}
