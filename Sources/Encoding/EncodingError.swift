/// Why something cannot be encoded or written, in one sentence with the cure.
public struct EncodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of reason it is; new kinds may come.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        public static let noFolder = Code("noFolder")
        public static let fileExists = Code("fileExists")
        public static let notWritable = Code("notWritable")
        public static let diskFull = Code("diskFull")
        /// The container cannot hold the codec, or cannot be turned; the command's wording was wrong.
        public static let unsuitable = Code("unsuitable")
        public static let encoderMissing = Code("encoderMissing")
        public static let encoderFailed = Code("encoderFailed")
        public static let writeFailed = Code("writeFailed")
        public static let noPipelineFiles = Code("noPipelineFiles")
        public static let nothingRecorded = Code("nothingRecorded")
    }

    public var code: Code
    public var description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the wording of the request was wrong (exit status 64), not the state of the machine.
    public var isUsage: Bool { code == .unsuitable }
}
