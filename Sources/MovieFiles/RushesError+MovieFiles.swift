package import Errors
import FileSystem
package import SystemPackage

extension RushesError {
    /// The same about the file of that name.
    package init(_ failure: MovieFileError, on path: FilePath) {
        self.init(failure.code, on: path.string, failure.sentence(about: path.wireText), underlying: failure)
    }
}

/// Runs the closure, and names the file in what it throws.
func naming<Result>(
    _ path: FilePath, _ body: () throws(MovieFileError) -> Result
) throws(RushesError) -> Result {
    do { return try body() } catch { throw RushesError(error, on: path) }
}

extension MovieFileError {
    fileprivate var code: RushesError.Code {
        switch self {
        case .invalidBox, .notAMovie, .notAFile, .encrypted, .noSamples, .unsupported, .openGroup, .damaged,
            .nothingToRecover:
            .badInput
        case .cancelled: .cancelled
        case .noSpace: .diskFull
        case .system(_, .fileExists): .fileExists
        case .system(let operation, _) where operation.hasPrefix("opening "): .badInput
        case .system(let operation, _) where operation.hasPrefix("creating "): .notWritable
        case .sizeReached, .system: .writeFailed
        }
    }

    /// The description with the name of the file, where it does not have that already.
    fileprivate func sentence(about name: String) -> String {
        switch self {
        case .damaged(let reason): "\(name) is damaged: \(reason)."
        case .notAFile(let what): "\(name) is \(what) and not a file."
        case .system("opening \(name)", .noSuchFileOrDirectory): "\(name) does not exist."
        // What was done to a file says to which, and what is created is another one.
        case .system(let operation, _) where operation.hasPrefix("creating "): description
        case .system, .noSpace: description.contains(name) ? description : "\(name): \(description)"
        default: "\(name): \(description)"
        }
    }
}
