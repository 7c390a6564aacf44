import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Locks of whole files and of bytes in them, and who writes a file without one.
@Suite(.timeLimit(.minutes(10))) struct LockTests {
    private let folder: TemporaryFolder
    private var path: FilePath { FilePath(folder.file("lock")) }

    init() throws { folder = try TemporaryFolder() }

    /// Each opening has locks of its own, as another process has.
    private func open() throws -> FileDescriptor {
        try FileDescriptor.open(path, .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
    }

    @Test func `an exclusive lock excludes all others, until it is given back or its file is closed`() throws {
        let (one, other) = (try open(), try open())
        defer { try? other.close() }
        #expect(FileLock.exclusive.ask(one) == .taken)
        #expect(FileLock.shared.ask(other) == .isHeld && FileLock.exclusive.ask(other) == .isHeld)
        FileLock.release(one)
        #expect(FileLock.shared.ask(other) == .taken && FileLock.shared.ask(one) == .taken)
        #expect(FileLock.exclusive.ask(other) == .isHeld)
        try one.close()
        #expect(FileLock.exclusive.ask(other) == .taken)
    }

    @Test func `a turn is waited for, and no longer than is said`() throws {
        let (one, other) = (try open(), try open())
        defer { for file in [one, other] { try? file.close() } }
        #expect(FileLock.exclusive.ask(one) == .taken)
        #expect(throws: Errno.resourceTemporarilyUnavailable) {
            try FileLock.exclusive.wait(for: other, within: .seconds(0.05))
        }
        Thread.detachNewThread { FileLock.release(one) }
        try FileLock.exclusive.wait(for: other, within: .seconds(60))
        #expect(FileLock.exclusive.ask(one) == .isHeld)
    }

    @Test func `what cannot be locked says why`() throws {
        // Not one that was closed: another test may have its number already.
        let file = FileDescriptor(rawValue: -1)
        #expect(FileLock.exclusive.ask(file) == .refused(.badFileDescriptor))
        #expect(throws: Errno.badFileDescriptor) { try FileLock.exclusive.wait(for: file, within: .seconds(60)) }
    }

    @Test func `bytes are locked each by itself, and go with their holder`() throws {
        let other = FileRangeLock(try open())
        do {
            let one = FileRangeLock(try open())
            #expect(try one.take(0, .shared) && other.take(0, .shared))
            #expect(try !one.take(0))
            // Far behind the file's end.
            #expect(try one.take(1 << 40) && !other.take(1 << 40) && other.take(1 << 40 + 1))
            one.release(0)
            #expect(try other.take(0) && !one.take(0, .shared))
        }
        #expect(try other.take(1 << 40))
    }

    @Test func `who has a file open for writing is found`() throws {
        let writer = try open()
        #expect(FileWriters.isWritten(path) == true && FileWriters.isStillWritten(path) == true)
        try writer.close()
        #expect(FileWriters.isStillWritten(path) == false)
        #expect(FileWriters.isWritten(path.appending("none")) == nil)
    }
}
