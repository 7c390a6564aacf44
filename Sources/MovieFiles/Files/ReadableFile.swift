import FileSystem
import Foundation
import SystemPackage

/// A file that is read at given places.
struct ReadableFile {
    let descriptor: FileDescriptor
    /// In bytes, when it was opened.
    let size: UInt64

    init(_ descriptor: FileDescriptor) throws(MovieFileError) {
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else {
            throw MovieFileError(Errno(rawValue: errno), operation: "looking at the file")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFBLK: break
        case S_IFDIR: throw .notAFile(reason: "a folder")
        case S_IFIFO: throw .notAFile(reason: "a pipe")
        default: throw .notAFile(reason: "a device")
        }
        size = UInt64(max(0, status.st_size))
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
    func read(upTo count: Int, at offset: UInt64) throws(MovieFileError) -> [UInt8] {
        guard offset < size, count > 0 else { return [] }
        let wanted = min(count, Int(clamping: size - offset))
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            do {
                while initialized < wanted {
                    let rest = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized..<wanted])
                    let number = try descriptor.read(
                        fromAbsoluteOffset: Int64(clamping: offset + UInt64(initialized)), into: rest,
                        retryOnInterrupt: true)
                    guard number > 0 else { return }
                    initialized += number
                }
            } catch {
                failure = error as? Errno ?? .ioError
            }
        }
        if let failure { throw MovieFileError(failure, operation: "reading the movie") }
        return bytes
    }

    /// Opens a file, lends it to `body` and closes it.
    ///
    /// - Parameter lock: Held meanwhile; nil for a look at a file that may be under way.
    /// - Throws: As ``opened(_:_:lock:)``.
    static func open<Value>(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly, lock: FileLock? = nil,
        _ body: (ReadableFile) throws(MovieFileError) -> Value
    ) throws(MovieFileError) -> Value {
        let file = try opened(path, mode, lock: lock)
        defer { file.close(lock: lock) }
        return try body(file)
    }

    /// - Parameter lock: That it was opened with. It is given back, as it would last as long as a program that was started meanwhile has
    ///   the file open too.
    func close(lock: FileLock?) {
        if lock != nil { FileLock.release(descriptor) }
        try? descriptor.close()
    }

    /// Opens a file, which is the caller's to close.
    ///
    /// - Parameter lock: Held until it is closed.
    /// - Throws: `notAFile`, `system`, `unsupported` where the lock is wanted and another program writes the file.
    static func opened(
        _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly, lock: FileLock? = nil
    ) throws(MovieFileError) -> ReadableFile {
        if lock != nil { try FileLock.expectNoWriter(path) }
        let descriptor: FileDescriptor
        do {
            // A pipe that nobody writes to would be waited for.
            descriptor = try FileDescriptor.open(path, mode, options: [.closeOnExec, .nonBlocking])
        } catch {
            if error as? Errno == .isDirectory { throw .notAFile(reason: "a folder") }
            throw MovieFileError(error as? Errno ?? .ioError, operation: "opening \(path.wireText)")
        }
        do throws(MovieFileError) {
            let file = try ReadableFile(descriptor)
            try lock?.acquire(descriptor)
            return file
        } catch {
            try? descriptor.close()
            throw error
        }
    }
}

extension ReadableFile {
    /// Fills memory with bytes of the file.
    ///
    /// - Throws: `system`, also where the file has become too short for it.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(MovieFileError) {
        var done = 0
        while done < memory.count {
            let number: Int
            do {
                number = try descriptor.read(
                    fromAbsoluteOffset: Int64(clamping: offset + UInt64(done)),
                    into: UnsafeMutableRawBufferPointer(rebasing: memory[done...]), retryOnInterrupt: true)
            } catch {
                throw MovieFileError(error as? Errno ?? .ioError, operation: "reading the movie")
            }
            guard number > 0 else {
                throw .system(operation: "copying the movie, which became shorter,", .ioError)
            }
            done += number
        }
    }
}

/// What keeps a movie from being edited while it is recorded.
extension FileLock {
    /// Locks a file as far as its file system can do that. Waits for as long as one that writes it is waited for: a program that its holder
    /// has just started holds it for a moment.
    ///
    /// - Throws: `unsupported` where another program has locked it.
    func acquire(_ descriptor: FileDescriptor) throws(MovieFileError) {
        do { try wait(for: descriptor, within: FileWriters.timeout) } catch {
            if error == .resourceTemporarilyUnavailable { throw Self.isWritten }
        }
    }

    /// Finds out whether another program has the file open for writing, one that knows nothing of our locks. Where nobody can
    /// tell, the file counts as free.
    ///
    /// - Throws: `unsupported` where somebody writes the file.
    static func expectNoWriter(_ path: FilePath) throws(MovieFileError) {
        if FileWriters.isStillWritten(path) == true { throw isWritten }
    }

    private static var isWritten: MovieFileError {
        .unsupported(reason: "another program has it open for writing; wait until it has finished")
    }
}
