import MediaTypes
import SystemPackage

/// What came of the parts of a movie, or has come of them so far.
package struct SeparateFiles: Sendable, Hashable {
    /// Those that are complete, in order.
    package var files: [ExportResult] = []
    /// What is told of all of them, a sentence each.
    package var notes: [String] = []

    /// - Parameter files: those that are complete so far.
    package init(_ files: [ExportResult] = []) { self.files = files }

    /// For the activity of all of them.
    func summary(in folder: FilePath) -> ExportResult {
        ExportResult(
            path: folder, size: files.reduce(0) { $0 + $1.size }, duration: files.reduce(.zero) { $0 + $1.duration },
            frames: files.reduce(0) { $0 + $1.frames }, notes: [complete].compactMap(\.self))
    }

    /// Which files are complete, in a sentence; nil where none is.
    package var complete: String? {
        let names = files.map { $0.path.lastComponent?.string ?? $0.path.displayName }
        guard let first = names.first, let last = names.last else { return nil }
        return switch names.count {
        case 1: "\(first) is complete."
        case 2: "\(first) and \(last) are complete."
        default: "\(first) to \(last) are complete."
        }
    }
}
