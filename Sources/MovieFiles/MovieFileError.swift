package import SystemPackage

/// What is wrong with a movie file, or with the disk below it; what is public throws it as ``RushesError``, with the file's name.
///
/// `description` is a full sentence that names the box and its offset in the file where one is to blame.
package enum MovieFileError: Error, Hashable, Sendable {
    /// A box of this type contradicts itself, its parent or its file. `offset` is that of the box's first byte.
    case invalidBox(String, offset: UInt64, reason: String)
    /// The file does not hold what makes a QuickTime or MP4 movie.
    case notAMovie(reason: String)
    /// A folder, a pipe or a device stands where a file should.
    case notAFile(reason: String)
    /// The samples are encrypted (ISO/IEC 23001-7), so an index of them would play nowhere. The type is the sample entry's.
    case encrypted(String, offset: UInt64)
    /// The movie has no sample in any of its tracks.
    case noSamples
    /// The file uses something that this operation cannot do.
    case unsupported(reason: String)
    /// A part of a movie, counted from 1, begins with frames that need others before them, so it cannot be copied behind another part.
    case openGroup(part: Int)
    /// The file is of its kind, and broken.
    case damaged(reason: String)
    /// The recording has its index already.
    case nothingToRecover
    /// The caller ended it.
    case cancelled
    /// The disk is full, or what a person may use of it. What had been written before is still there, and still plays.
    case noSpace(operation: String, isQuota: Bool = false)
    /// The files of the recording would be larger than they may be; see ``SizeLimit``.
    case sizeReached
    /// A system call failed.
    case system(operation: String, Errno)
}

extension MovieFileError {
    static func invalidBox(_ type: FourCC, offset: UInt64, reason: String) -> Self {
        .invalidBox(type.description, offset: offset, reason: reason)
    }

    static func encrypted(_ entry: FourCC, offset: UInt64) -> Self { .encrypted(entry.description, offset: offset) }

    package init(_ errno: Errno, operation: String) {
        switch errno {
        case .noSpace: self = .noSpace(operation: operation)
        case .diskQuotaExceeded: self = .noSpace(operation: operation, isQuota: true)
        default: self = .system(operation: operation, errno)
        }
    }

    /// Whether a smaller file would do: the disk is full, or the file may not be larger.
    var isOutOfSpace: Bool {
        switch self {
        case .noSpace, .sizeReached, .system(_, .fileTooLarge): true
        default: false
        }
    }
}

extension MovieFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidBox(let type, let offset, let reason):
            "The box '\(type)' at byte \(offset) is not valid: \(reason)."
        case .notAMovie(let reason):
            "This is not a QuickTime or MP4 movie: \(reason)."
        case .notAFile(let reason):
            "This is not a file: it is \(reason)."
        case .encrypted(let type, let offset):
            "The track is encrypted (sample entry '\(type)' at byte \(offset)), which is not supported."
        case .noSamples:
            "The movie holds no complete sample."
        case .unsupported(let reason):
            "It cannot be processed: \(reason)."
        case .openGroup(let part):
            "Part \(part) needs frames that cannot follow those of another part (an open group)."
        case .damaged(let reason):
            "This file is damaged: \(reason)."
        case .nothingToRecover:
            "Nothing to recover: this movie is already complete."
        case .cancelled:
            "It was cancelled."
        case .noSpace(let operation, let isQuota):
            "\(isQuota ? "The quota of the disk is used up" : "The disk is full"): \(operation) failed; free some space (what was "
                + "written before is still there)."
        case .sizeReached:
            "The limit of the recording's size is reached."
        case .system(let operation, .fileTooLarge):
            "\(operation.prefix(1).uppercased() + operation.dropFirst()) failed: File too large; the disk takes none that is larger (FAT 4 GiB), "
                + "or a limit does not allow it (ulimit -f): choose another disk, or raise the limit."
        case .system(let operation, let errno):
            "\(operation.prefix(1).uppercased() + operation.dropFirst()) failed: \(errno)."
        }
    }
}
