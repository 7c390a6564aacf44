/// Why something cannot be encoded or written, in one sentence with the cure.
public struct MovieEncodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of reason it is; new kinds may come.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The folder does not exist.
        public static let noFolder = Code("noFolder")
        /// Something has the name already.
        public static let fileExists = Code("fileExists")
        /// The folder or the file cannot be written.
        public static let notWritable = Code("notWritable")
        /// There is no room.
        public static let diskFull = Code("diskFull")
        /// The container cannot hold the codec, or cannot be turned; the command's wording was wrong.
        public static let unsuitable = Code("unsuitable")
        /// Nothing that is installed writes the codec.
        public static let encoderMissing = Code("encoderMissing")
        /// An encoder broke off.
        public static let encoderFailed = Code("encoderFailed")
        /// The file could not be written or could not get its name.
        public static let writeFailed = Code("writeFailed")
        /// The encoder tables or a preset cannot be found or read.
        public static let noPipelineFiles = Code("noPipelineFiles")
        /// Neither a frame nor an audio came.
        public static let nothingRecorded = Code("nothingRecorded")
    }

    /// What kind of reason it is.
    public var code: Code
    /// The sentence.
    public var description: String

    /// - Parameter description: one sentence for people, with the cure.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the wording of the request was wrong (exit status 64), not the state of the machine.
    package var isUsage: Bool { code == .unsuitable }
}
