import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Inputs that are written to while they are read: no output is told as whole that has a part of the one and a part of the other.
@Suite struct ChangedInputTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("in.ts") }

    init() throws {
        folder = try TemporaryFolder()
        try Data(repeating: 7, count: 1000).write(to: URL(filePath: path))
    }

    /// What is said of the file after something was done to it.
    private func note(after change: (FileHandle) throws -> Void) throws -> String? {
        let file = try InputFile(FilePath(path))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try change(handle)
        try handle.close()
        return file.changeNote
    }

    @Test func `a file that is cut off meanwhile is told`() throws {
        #expect(
            try note { try $0.truncate(atOffset: 400) }
                == "in.ts was cut off while it was read, from 1000 bytes to 400: what lay there may be missing.")
    }

    @Test func `a file that grows meanwhile is told`() throws {
        let note = try note {
            try $0.seekToEnd()
            try $0.write(contentsOf: Data([1, 2]))
        }
        #expect(
            note
                == "in.ts grew while it was read, by 2 bytes, which may be missing; export it again when it is whole.")
    }

    @Test func `a file that is written over meanwhile is told`() throws {
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        let note = try note { try $0.write(contentsOf: Data([1, 2])) }
        #expect(
            note == "in.ts was written to while it was read, and what was exported may be damaged; export it again.")
    }

    @Test func `a file that is only read, renamed, replaced or deleted is as it was`() throws {
        let file = try InputFile(FilePath(path))
        _ = try Data(contentsOf: URL(filePath: path))
        #expect(file.changeNote == nil)
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("b.ts"))
        try Data([1]).write(to: URL(filePath: path))
        #expect(file.changeNote == nil)
        try FileManager.default.removeItem(atPath: folder.file("b.ts"))
        #expect(file.changeNote == nil)
    }
}
