import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Small files that are replaced as a whole, by path and in a folder that is held open.
@Suite(.timeLimit(.minutes(10))) struct AtomicFileTests {
    private let folder: TemporaryFolder
    private var path: FilePath { FilePath(folder.file("record.json")) }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [true, false]) func `the new bytes take the place of the old ones, and nothing else stays`(
        isLasting: Bool
    ) throws {
        try AtomicFile.replace(path, with: Data("longer than the next".utf8), isLasting: isLasting)
        try AtomicFile.replace(path, with: Data("next".utf8), isLasting: isLasting)
        #expect(AtomicFile.text(path) == "next")
        #expect(folder.contents == ["record.json"])
    }

    @Test func `who reads the old file goes on reading the old bytes`() throws {
        try AtomicFile.replace(path, with: Data("old".utf8))
        let reader = try FileDescriptor.open(path, .readOnly)
        defer { try? reader.close() }
        try AtomicFile.replace(path, with: Data("new".utf8))
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
        #expect(bytes.prefix(count) == Array("old".utf8)[...])
    }

    @Test(arguments: ["record.tmp", "record.partial", ".record.json.partial"])
    func `what a person has beside it stays, whatever its name`(name: String) throws {
        let own = FilePath(folder.file(name))
        try AtomicFile.replace(own, with: Data("mine".utf8))
        try AtomicFile.replace(path, with: Data("new".utf8))
        try AtomicFile.replace(path, with: Data("newer".utf8))
        #expect(AtomicFile.text(own) == "mine" && AtomicFile.text(path) == "newer")
        #expect(folder.contents.sorted() == [name, "record.json"].sorted())
    }

    @Test func `a link that has the name goes for the file, and what it leads to stays`() throws {
        let letter = FilePath(folder.file("letter"))
        try AtomicFile.replace(letter, with: Data("mine".utf8))
        #expect(symlink(letter.string, path.string) == 0)
        try AtomicFile.replace(path, with: Data("new".utf8))
        #expect(AtomicFile.text(letter) == "mine" && AtomicFile.text(path) == "new")
        #expect(!path.isLink && folder.contents.sorted() == ["letter", "record.json"])
    }

    @Test func `only names that no person gives are taken for drafts`() {
        #expect(AtomicFile.isDraft(".\(UUID().uuidString).partial"))
        for name in ["record.tmp", ".record.partial", "\(UUID().uuidString).partial", ".\(UUID().uuidString).mov"] {
            #expect(!AtomicFile.isDraft(name))
        }
    }

    @Test func `it has the permissions that are asked for, also where there was one of others`() throws {
        try AtomicFile.replace(path, with: Data(), permissions: [.ownerReadWrite, .groupRead])
        try AtomicFile.replace(path, with: Data("secret".utf8))
        var status = stat()
        #expect(stat(path.string, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `a folder that takes no file, and a file too large to be one, are refused`() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try AtomicFile.replace(FilePath(folder.file("none/record.json")), with: Data())
        }
        try AtomicFile.replace(path, with: Data(count: 1 << 20))
        #expect(try AtomicFile.read(path).count == 1 << 20)
        try AtomicFile.replace(path, with: Data(count: 1 << 20 + 1))
        #expect(throws: Errno.fileTooLarge) { try AtomicFile.read(path) }
    }

    @Test func `a folder that was renamed meanwhile is the one that is written to`() throws {
        let own = try FolderDescriptor(FilePath(folder.path))
        try own.makeFolder("one")
        let inner = try own.folder("one")
        try own.rename("one", to: "other")
        try own.makeFolder("one")
        try inner.replaceFile("record.json", with: Data("here".utf8), isLasting: true)
        #expect(try inner.contents(of: "record.json") == Data("here".utf8))
        #expect(AtomicFile.text(FilePath(folder.file("other/record.json"))) == "here")
        #expect(try own.folder("one").names.isEmpty)
    }
}
