/// Why a file was not exported, in one sentence with the cure.
public struct ExportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of reason it is; new kinds may come.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The wording of the request was wrong.
        public static let unsuitable = Code("unsuitable")
        /// The input is missing, a directory, not media, encrypted, damaged.
        public static let badInput = Code("badInput")
        /// No video or audio came for the stated time.
        public static let stalled = Code("stalled")
        /// Encoding or writing broke off.
        public static let encoderFailed = Code("encoderFailed")
        /// Nothing is installed that measures what was asked for.
        public static let metricMissing = Code("metricMissing")
        /// No quality of the encoder is as good as what was asked for.
        public static let unreachable = Code("unreachable")
        /// What was written is not good; nothing was kept.
        public static let notVerified = Code("notVerified")
        /// There is no room.
        public static let diskFull = Code("diskFull")
        /// Somebody ended it.
        public static let cancelled = Code("cancelled")
    }

    /// What kind of reason it is.
    public var code: Code
    /// The sentence.
    public var description: String

    /// - Parameter description: one sentence for people, with the cure.
    package init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

    /// Whether the wording of the request was wrong (exit status 64), not the input or the machine.
    package var isUsage: Bool { code == .unsuitable }
}
