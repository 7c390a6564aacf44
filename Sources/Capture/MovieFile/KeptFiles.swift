import FileSystem
import MovieFiles
import SystemPackage
import Threads

/// The complete files of a recording, or of several that follow each other, which stay within a size together: deletes the oldest for new
/// ones.
package actor KeptFiles {
    private var retention: PartRetention
    private var files: [Int: (part: RecordingPart, identity: FileIdentity?)] = [:]
    private var count = 0
    /// Whether what has to stay is too much by itself, and that was said.
    private var isFull = false
    /// Files are taken one after the other.
    private var last: Task<[(number: Int, part: RecordingPart)], Never>?

    /// - Parameter limit: bytes of all.
    package init(limit: Int64) { retention = PartRetention(limit: limit) }

    /// Takes a complete file, and deletes those that go for it.
    ///
    /// - Parameters:
    ///   - isPinned: whether it stays whatever it takes.
    ///   - warn: told what is to be known.
    /// - Returns: its number, and the files that were deleted with theirs.
    func add(
        _ part: RecordingPart, isPinned: Bool, warn: @escaping @Sendable (String) -> Void
    ) async -> (number: Int, deleted: [(number: Int, part: RecordingPart)]) {
        let (number, before) = (count, last)
        count += 1
        let task = Task {
            _ = await before?.value
            return await take(part, number, isPinned, warn)
        }
        last = task
        return (number, await task.value)
    }

    private func take(
        _ part: RecordingPart, _ number: Int, _ isPinned: Bool, _ warn: @Sendable (String) -> Void
    ) async -> [(number: Int, part: RecordingPart)] {
        let identity = try? await onOwnThread("rushes-destination") { part.path.flatMap { FileIdentity($0) } }
        files[number] = (part, identity)
        let (excess, isExceeded) = retention.add(number, bytes: part.bytes, isPinned: isPinned)
        if isExceeded, !isFull {
            warn("The newest file and those that are pinned are larger than all files may be; they stay.")
        }
        isFull = isExceeded
        var deleted: [(number: Int, part: RecordingPart)] = []
        for number in excess {
            guard let file = files.removeValue(forKey: number), let identity = file.identity, let path = file.part.path
            else { continue }
            var part = file.part
            do {
                // What somebody else put there, or wrote to, stays.
                guard try await onOwnThread("rushes-destination", { try identity.remove(path) }) else { continue }
                part.isDeleted = true
                deleted.append((number, part))
            } catch {
                warn("\(path) could not be deleted (\(error)), so all files may take more than they may.")
            }
        }
        return deleted
    }

    /// Their folder got another name.
    func folder(_ old: FilePath, isNow new: FilePath) {
        files = files.mapValues { file in
            var file = file
            file.part.path = file.part.path?.moved(from: old, to: new)
            return file
        }
    }
}

extension FilePath {
    /// Where the file is by now that was made in a folder before that got another name.
    ///
    /// - Parameter old: from the root on.
    func moved(from old: FilePath, to new: FilePath) -> FilePath {
        guard let name = lastComponent, absolute.removingLastComponent() == old else { return self }
        return new.appending(name)
    }
}
