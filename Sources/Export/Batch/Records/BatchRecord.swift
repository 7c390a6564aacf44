import Foundation
import MovieFiles
package import SystemPackage

/// What became of one item so far, as the batch's folder keeps it.
struct BatchRecord: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable {
        case running
        /// The output is complete and verified, and about to get its name.
        case finishing
        case done, failed, cancelled

        /// Whether nobody works on it.
        var isOver: Bool { self == .done || self == .failed || self == .cancelled }
    }

    var state: State
    /// As ``SystemPackage/FilePath/wireText`` has it.
    var input: String
    /// The input when the export began; `nil` where there was none.
    var source: FileVersion?
    /// What was drawn into it, likewise.
    var insets: [FileVersion]?
    var settings: ExportSettings
    /// The output, from `finishing` on: a rename keeps all of it.
    var result: FileVersion?
    /// The output of an earlier run, which this one may replace.
    var previous: FileVersion?
    /// How often it was begun, which is the latest attempt's number, and completed. A batch that was killed begins again what
    /// was not complete, and only that.
    var starts = 0
    var completions = 0
    /// The latest ones, in order.
    var attempts: [BatchAttempt]?
    /// Why it failed.
    var reason: String?
    /// How far it was when it failed or was given up, from 0 to 1.
    var fraction: Double?
    /// Whether the frames are the input's own.
    var copiesFrames = false
    /// What was copied, left out or done otherwise than asked.
    var notes: [String] = []
    /// Those of them that tell of more than how it was written.
    var remarks: [String]?

    init(state: State, input: String, source: FileVersion?, insets: [FileVersion]?, settings: ExportSettings) {
        (self.state, self.input, self.source, self.insets, self.settings) = (state, input, source, insets, settings)
    }

    /// Whether it tells of this input, whatever has become of that since.
    func isOf(_ path: FilePath) -> Bool {
        // A shared disk may be mounted elsewhere.
        input == path.wireText || isSource(FileVersion(path), of: path.wireText)
    }

    /// Whether a file is this input, unchanged: that of the same number, or name where the disk was mounted anew.
    func isSource(_ file: FileVersion?, of path: String) -> Bool {
        guard let file, let source else { return false }
        return file == source
            || (file.hasContents(of: source)
                && FilePath(wireText: path)?.lastComponent == FilePath(wireText: input)?.lastComponent)
    }

    /// Whether a file is the output of this run or of the one before.
    func hasMade(_ file: FileVersion?) -> Bool { file != nil && (result == file || previous == file) }

    /// Whether the output is that of this input, as it is now, and of these settings.
    func fits(input: String, source: FileVersion?, insets: [FileVersion]?, settings: ExportSettings) -> Bool {
        // An input that was taken away after it was done has not changed; a shared disk may be mounted elsewhere.
        self.settings == settings && (source == nil ? self.input == input : isSource(source, of: input))
            && (insets == nil || hasInsets(insets))
    }

    /// Whether these are the insets, unchanged.
    func hasInsets(_ files: [FileVersion]?) -> Bool {
        guard let files, let insets else { return files == nil && insets == nil }
        return files.count == insets.count && zip(files, insets).allSatisfy { $0.hasContents(of: $1) }
    }
}

/// What tells a file from another of its name, and from itself after a change.
package struct FileVersion: Codable, Sendable, Hashable {
    /// Bytes.
    package let size: Int64
    /// Nanoseconds since 1970, of the last change to its contents.
    package let modified: Int64
    /// The file's number in its file system.
    package let inode: UInt64

    /// - Returns: `nil` where there is no file. Symbolic links are followed.
    package init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    /// Whether a file of one name is likely to be the same as before: FAT, exFAT and many network disks number their files anew each time
    /// that they are mounted, so the number says nothing there.
    func hasContents(of other: FileVersion) -> Bool { size == other.size && modified == other.modified }
}
