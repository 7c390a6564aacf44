import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import FileSystem

/// Files that get their names when they are complete, on file systems that know unnamed ones and on those that do not.
@Suite(.timeLimit(.minutes(10))) struct UnfinishedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(canBeUnnamed: Bool, _ text: String = "new") throws -> UnfinishedFile {
        let file = try UnfinishedFile(in: FilePath(folder.path), canBeUnnamed: canBeUnnamed)
        try file.withDescriptor { _ = try $0.writeAll(text.utf8) }
        return file
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: folder.file(name), encoding: .utf8) }

    @Test(arguments: [true, false]) func `it has its name at once, and nothing else stays`(canBeUnnamed: Bool) throws {
        let file = try make(canBeUnnamed: canBeUnnamed)
        #expect(folder.contents.allSatisfy { $0.hasPrefix(".") } && folder.contents.isEmpty == canBeUnnamed)
        let path = FilePath(folder.file("take.mov"))
        try file.commit(to: path, replacing: false)
        #expect(folder.contents == ["take.mov"] && text("take.mov") == "new")
        // Whoever looks now is not told that somebody writes it, though the object is still there.
        #expect(FileWriters.isStillWritten(path) != true)
        withExtendedLifetime(file) {}
    }

    @Test(arguments: [true, false]) func `a name that is taken is replaced only where that is wanted`(
        canBeUnnamed: Bool
    ) throws {
        let path = FilePath(folder.file("take.mov"))
        try make(canBeUnnamed: canBeUnnamed, "old").commit(to: path, replacing: false)
        #expect(throws: Errno.fileExists) { try make(canBeUnnamed: canBeUnnamed).commit(to: path, replacing: false) }
        #expect(folder.contents == ["take.mov"] && text("take.mov") == "old")
        try make(canBeUnnamed: canBeUnnamed).commit(to: path, replacing: true)
        #expect(folder.contents == ["take.mov"] && text("take.mov") == "new")
    }

    @Test(arguments: [true, false]) func `what nobody completes is gone`(canBeUnnamed: Bool) throws {
        _ = try make(canBeUnnamed: canBeUnnamed)
        #expect(folder.contents == [])
    }

    @Test func `it is written over from its beginning, by a descriptor of its own`() throws {
        let file = try make(canBeUnnamed: true, "something long")
        let again = try file.openEmpty()
        try again.closeAfter { _ = try again.writeAll("short".utf8) }
        try file.commit(to: FilePath(folder.file("a")), replacing: false)
        #expect(text("a") == "short")
    }

    @Test func `a process that is about to end takes hidden names away, and gives no new ones`() throws {
        let names = TemporaryNameRegistry()
        let (one, other) = (FilePath(folder.file(".one")), FilePath(folder.file(".other")))
        try names.create(one).close()
        #expect(folder.contents == [".one"])
        names.close()
        #expect(folder.contents == [])
        #expect(throws: Errno.canceled) { try names.create(other) }
        #expect(throws: Errno.canceled) { try names.move(one, to: other, replacing: false) }
        #expect(folder.contents == [])
    }
}
