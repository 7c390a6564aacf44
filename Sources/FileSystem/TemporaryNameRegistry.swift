import Foundation
import SystemPackage
import Threads

/// The hidden names that this process gave to files which are not complete, so that none of them outlives it unless it is killed.
final class TemporaryNameRegistry: @unchecked Sendable {
    static let shared = TemporaryNameRegistry()

    // Both are guarded by `lock`.
    private var names: Set<FilePath> = []
    private var isClosed = false
    private let lock = NSLock()
    private static let timeout = Duration.seconds(2)

    /// Creates a file.
    ///
    /// - Throws: why the file system takes none; `canceled` where the process is about to end.
    func create(_ name: FilePath) throws(Errno) -> FileDescriptor {
        try add(name) { () throws(Errno) in
            let descriptor = name.withPlatformString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            guard descriptor >= 0 else { throw Errno(rawValue: errno) }
            return FileDescriptor(rawValue: descriptor)
        }
    }

    /// Keeps a name that `body` gives.
    ///
    /// - Throws: what that throws; `canceled` where the process is about to end.
    func add<Value>(_ name: FilePath, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { throw .canceled }
        let value = try body()
        names.insert(name)
        return value
    }

    /// Gives a file another name. Where that cannot be, the file goes.
    ///
    /// - Throws: as `FilePath.moveFile(to:replacing:)`; `canceled` where the process is about to end.
    func move(_ name: FilePath, to path: FilePath, replacing: Bool) throws(Errno) {
        lock.lock()
        defer { lock.unlock() }
        guard names.remove(name) != nil else { throw .canceled }
        do throws(Errno) { try name.moveFile(to: path, replacing: replacing) } catch {
            name.removeFile()
            throw error
        }
    }

    /// Takes a file away, unless it has got another name.
    func remove(_ name: FilePath) {
        lock.lock()
        defer { lock.unlock() }
        if names.remove(name) != nil { name.removeFile() }
    }

    /// Takes all of them away, and refuses new ones.
    func close() {
        // A disk that does not answer may hold up who has it.
        guard lock.lock(before: Date(timeIntervalSinceNow: Self.timeout.seconds)) else { return }
        defer { lock.unlock() }
        isClosed = true
        for name in names { name.removeFile() }
        names = []
    }
}
